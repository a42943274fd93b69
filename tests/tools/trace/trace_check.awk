# SPDX-License-Identifier: MIT
# trace_check.awk: is it a trace that Perfetto can read? Reads what `protoc --decode` wrote.
#
# Every field is known; a name, a track and its parent stand before they are used; all packets are
# of one sequence, whose first one forgets what was before; a track belongs to a process, except for
# the one that says what is left out; a counter has a unit, and values only; on a track slices end
# before the next begins and all end; the time of a process never goes back; an arrow begins once
# and ends once, not before; an annotation has a value.

function complain(text) {
    printf "packet %d: %s\n", packets, text
    complaints++
}

function number() {
    return $2 + 0
}

function end_track() {
    if (parent && !(parent in is_track))
        complain("track " uuid " has the parent " parent ", which is none")
    if (uuid in is_track)
        complain("track " uuid " twice")
    is_track[uuid] = 1
    if (has_counter && !unit)
        complain("counter " uuid " has no unit")
    if (has_process && pids[pid]++)
        complain("process " pid " twice")
    if (!has_process && !process_of[parent] && track_name != "\"left out\"")
        complain("track " uuid " is of no process")
    process_of[uuid] = has_process ? uuid : process_of[parent]
    is_counter[uuid] = has_counter
    tracks++
}

function end_event(    process) {
    process = process_of[track]
    if (time == "")
        complain("an event without a time")
    if (!(track in is_track))
        complain("track " track " is none")
    if (time < now[process])
        complain("time goes back from " now[process] " to " time)
    now[process] = time
    if (is_counter[track] != (type == "TYPE_COUNTER"))
        complain(type " on track " track)
    if (type == "TYPE_SLICE_BEGIN" && depth[track]++)
        complain("a slice begins inside another on track " track)
    if (type == "TYPE_SLICE_END" && --depth[track] < 0)
        complain("nothing ends on track " track)
    if (type == "TYPE_SLICE_BEGIN" && !name)
        complain("a slice without a name on track " track)
    count[type]++
}

/^ *[0-9]+(: | \{)/ { complain("an unknown field: " $0) }
$1 == "packet" {
    packets++
    inside = type = ""
    time = unit = track_name = flags = sequence = ""
    uuid = parent = track = name = has_process = has_counter = 0
}
$1 == "event_names" || $1 == "debug_annotation_names" { entry = $1 }
$1 == "debug_annotations" { annotation = 1 }
$1 == "track_descriptor" { inside = "track" }
$1 == "track_event" { inside = "event" }
$1 == "process" { has_process = 1 }
$1 == "counter" { has_counter = 1 }
$1 == "unit:" || $1 == "unit_name:" { unit = $2 }
$1 == "pid:" { pid = number() }
$1 == "name:" && inside == "track" && !entry { sub(/^ *name: /, ""); track_name = $0 }
$1 == "sequence_flags:" { flags = number() }
$1 == "trusted_packet_sequence_id:" { sequence = number() }
$1 ~ /^(u?int|string)_value:/ { annotation = 2 }
$1 == "timestamp:" { time = number() }
$1 == "uuid:" { uuid = number() }
$1 == "parent_uuid:" { parent = number() }
$1 == "track_uuid:" { track = number() }
$1 == "type:" { type = $2 }
$1 == "iid:" && entry { known[entry, number()]++ }
$1 == "iid:" && entry && known[entry, number()] > 1 { complain(entry " " number() " twice") }
# An event's own name comes with it.
$1 == "name_iid:" && !annotation { name = number() }
$1 == "name_iid:" && annotation && !(("debug_annotation_names", number()) in known) {
    complain("annotation " number() " has no name")
}
$1 == "flow_ids:" { if (begun[$2]++) complain("arrow " $2 " begins twice"); flows++ }
$1 == "terminating_flow_ids:" {
    if (!begun[$2])
        complain("arrow " $2 " ends before it begins")
    if (ended[$2]++)
        complain("arrow " $2 " ends twice")
}
/^    }$/ {
    if (annotation == 1)
        complain("an annotation without a value")
    annotation = 0
}
/^}$/ {
    if (sequence != 1 || flags != (packets == 1 ? 1 : 2))
        complain("sequence " sequence ", flags " flags)
    if (inside == "track")
        end_track()
    if (inside == "event") {
        if (name && !(("event_names", name) in known))
            complain("event name " name " is none")
        end_event()
    }
    entry = ""
}
END {
    for (track in depth)
        if (depth[track])
            complain(depth[track] " slices do not end on track " track)
    for (flow in begun)
        if (!ended[flow])
            complain("arrow " flow " does not end")
    printf "%d tracks, %d slices, %d instants, %d values, %d arrows, %d complaints\n", tracks, \
        count["TYPE_SLICE_BEGIN"], count["TYPE_INSTANT"], count["TYPE_COUNTER"], flows, complaints
    exit complaints > 0
}
