#!/bin/sh
# SPDX-License-Identifier: MIT
# sweep_hosts.sh PROGRAM: a sweep on two machines, one of which goes down half-way.
#
# The machines are two sshd on high ports of this one, with keys that are thrown away. The second
# one is killed with everything that it runs; the first one does the rest. What comes out has to be
# the same bytes as one process gives. Then the same plan as a Slurm array, whose variables a loop
# sets; one task is killed and submitted again.
set -u
LC_ALL=C
export LC_ALL
tools=$(cd "$(dirname "$0")/../../tools/sweep" && pwd)
vidmm=$1
for need in parallel ssh ssh-keygen /usr/sbin/sshd ps seq; do
    command -v "$need" >/dev/null || {
        echo "skipped: there is no $need"
        exit 77
    }
done
if [ "$(id -u)" -eq 0 ] && ! mkdir -p /run/sshd; then
    echo 'skipped: sshd needs /run/sshd'
    exit 77
fi
work=$(mktemp -d)
failed=0

# A process and all that it began.
family() {
    for child in $(ps -o pid= --ppid "$1"); do
        family "$child"
    done
    echo "$1"
}

end_host() {
    [ -f "$work/$1.pid" ] || return 0
    # shellcheck disable=SC2046 # words are meant
    kill -9 $(family "$(cat "$work/$1.pid")") 2>/dev/null
    rm -f "$work/$1.pid"
}

clean_up() {
    end_host w1
    end_host w2
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

complain() {
    echo "failed: $*"
    failed=$((failed + 1))
}

cd "$work" || exit 1
HOME=$work
export HOME
mkdir .parallel sweep
: >.parallel/will-cite

# ---- two machines -------------------------------------------------------------------------------

ssh-keygen -q -t ed25519 -N '' -f host_key || exit 1
ssh-keygen -q -t ed25519 -N '' -f user_key || exit 1
for host in w1 w2; do
    for try in 1 2 3 4 5 6 7 8 9; do
        port=$((20000 + ($$ * 7 + try * 1009 + ${#host} + (${host#w} * 500)) % 30000))
        cat >$host.conf <<END
Port $port
ListenAddress 127.0.0.1
HostKey $work/host_key
AuthorizedKeysFile $work/user_key.pub
PidFile $work/$host.pid
StrictModes no
PasswordAuthentication no
PermitRootLogin yes
UsePAM no
MaxStartups 100
END
        /usr/sbin/sshd -f "$work/$host.conf" -E "$work/$host.log"
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            [ -s $host.pid ] && break 2
            sleep 0.1
        done
    done
    cat >>ssh.conf <<END
Host $host
    HostName 127.0.0.1
    Port $port
    IdentityFile $work/user_key
    IdentitiesOnly yes
    UserKnownHostsFile /dev/null
    StrictHostKeyChecking no
    LogLevel ERROR
    ConnectTimeout 5
END
done
if ! ssh -F ssh.conf w1 true || ! ssh -F ssh.conf w2 true; then
    echo 'skipped: no sshd of our own takes a connection here'
    exit 77
fi

# ---- one process --------------------------------------------------------------------------------

cd sweep || exit 1
cat >work.vms <<'END'
vidmm-scenario 1
adapter wddm=1.1
segment vram id=1 kind=memory size=64M
segment aper id=2 kind=aperture size=64M
class tex segments=vram evict-to=aper
for i in 0..39
  create t[$i] : tex size=rand(1M..4M,step=64K) content=$i
end
repeat 400
  submit new read=any(4)
  wait idle
end
END
cat >plan.vsw <<'END'
vidmm-sweep 1
files work.vms
set profile = pcie3, pcie5
seeds 1..40
END
# Every word reaches the other machine as it is.
cp plan.vsw "the plan's.vsw"
"$vidmm" sweep plan.vsw >one 2>err || complain "one process: $(tail -n 1 err)"
[ "$(wc -l <one)" -eq 80 ] || complain 'one process: not 80 runs'

# ---- two machines, one goes down ----------------------------------------------------------------

VIDMM=$vidmm
PARALLEL_SSH="ssh -F $work/ssh.conf"
export VIDMM PARALLEL_SSH
RETRIES=1 "$tools/sweep_parallel.sh" "the plan's.vsw" w1,w2 results 8 >out 2>err &
sweep=$!
# Half-way: the second machine has done a shard and is at another.
for _ in $(seq 600); do
    grep -q '	w2	' results/log 2>/dev/null && break
    kill -0 $sweep 2>/dev/null || break
    sleep 0.05
done
end_host w2
wait $sweep && complain 'a machine went down, and nobody noticed'
grep -q 'shards are not done' err || complain "after the machine went down: $(tail -n 1 err)"
[ ! -e results/all.jsonl ] || complain 'half of the results were merged'
grep -q '	w1	' results/log && grep -q '	w2	' results/log ||
    complain 'both machines were to work'
"$vidmm" sweep --merge plan.vsw results/shard? >half 2>err && complain 'half of it is complete'
[ ! -s half ] || complain 'half of the results were printed'

# The same again, with the machine that is left.
"$tools/sweep_parallel.sh" "the plan's.vsw" w1 results 8 >out 2>err ||
    complain "the second time: $(tail -n 1 err)"
cmp -s one results/all.jsonl || complain 'two machines give other bytes than one process'
again=$(grep -c '	w1	' results/log)
echo "two machines: $(wc -l <results/all.jsonl) runs, $again shards on the one that is left"

# ---- a Slurm array ------------------------------------------------------------------------------

task() {
    SLURM_ARRAY_TASK_ID=$1 SLURM_ARRAY_TASK_COUNT=4 "$tools/sweep_slurm.sh" plan.vsw array
}

for shard in 0 1 3; do
    task $shard 2>err || complain "task $shard: $(tail -n 1 err)"
done
task 2 2>err &
slurm=$!
for _ in $(seq 200); do
    [ -s array/2.jsonl ] && break
    sleep 0.02
done
# shellcheck disable=SC2046 # words are meant
kill -9 $(family $slurm) 2>/dev/null
wait $slurm 2>/dev/null
before=$(wc -l <array/2.jsonl)
task 2 2>err || complain "task 2 again: $(tail -n 1 err)"
"$vidmm" sweep --merge plan.vsw array/*.jsonl >all 2>err || complain "merge: $(tail -n 1 err)"
cmp -s one all || complain 'an array gives other bytes than one process'
echo "an array: task 2 was killed after $before of $(wc -l <array/2.jsonl) runs"

[ "$failed" -eq 0 ]
