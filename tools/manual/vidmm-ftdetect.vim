" SPDX-License-Identifier: MIT
autocmd BufRead,BufNewFile *.vms setfiletype vidmm
