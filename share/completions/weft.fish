# fish completion for weft. Commands and options are read from the program's own --help, names from
# `weft list`, so that this file does not age with them.

# The words before the cursor, the program first.
function __weft_words
    commandline -opc
end

# The program on the line, with other arguments.
function __weft_run
    set -l words (__weft_words)
    env COLUMNS=100000 $words[1] $argv 2>/dev/null # lines are not wrapped
end

# The command on the line, or nothing: the first word after the program that is no option.
function __weft_command
    for word in (__weft_words)[2..-1]
        string match -q -- '-*' $word; or begin
            echo $word
            return
        end
    end
end

# "command<TAB>what it does" of the names at the left of the help, with a summary at their right.
function __weft_commands
    __weft_run --help | sed -n 's/^  \([a-z][a-z-]*\)   *\(.*\)/\1\t\2/p'
end

# "--option<TAB>what it is" of the help of the command on the line.
function __weft_options
    __weft_run (__weft_command) --help-all |
        sed -nE 's/^  (-[A-Za-z],)?(--[a-z][a-z-]*)(,--[a-z-]*)*( TEXT| N)?  +(.*)/\2\t\5/p'
end

# The first column of `weft list WHAT`, below its heading; functions of topologies need quotes and are left out.
function __weft_names
    __weft_run list $argv[1] |
        awk 'NR > 1 && $1 ~ /^[a-z0-9]/ && !index($0, " " $1 "(") { print $1 }'
end

function __weft_topologies
    for name in (__weft_names topologies)
        echo $name:
    end
end

function __weft_before_is
    contains -- (__weft_words)[-1] $argv
end

function __weft_command_is
    contains -- "$(__weft_command)" $argv
end

# Whether the option before the cursor takes a value that is none of the lists below.
function __weft_wants_other_value
    set -l before (__weft_words)[-1]
    string match -q -- '-*' $before
    and __weft_run (__weft_command) --help-all | grep -qE -- "(^|[ ,])$before (TEXT|N)( |\$)"
end

complete -c weft -f
complete -c weft -n 'test -z "$(__weft_command)"' -a '(__weft_commands)'
complete -c weft -n 'string match -q -- "-*" (commandline -ct)' -a '(__weft_options)'

complete -c weft -n '__weft_before_is -t --topology' -a '(__weft_topologies)'
complete -c weft -n '__weft_before_is -a --algorithm --algorithms --baseline' -a '(__weft_names algorithms)'
complete -c weft -n '__weft_before_is --model' -a '(__weft_names models)'
complete -c weft -n '__weft_before_is --routing' -a '(__weft_names routings)'
complete -c weft -n '__weft_before_is --traffic' -a '(__weft_names traffic)'
complete -c weft -n '__weft_before_is --device' -a '(__weft_names devices)'
complete -c weft -n '__weft_before_is --parallel' -a 'data sharded expert tensor= pipeline= sequence'
complete -c weft -n '__weft_before_is --pipeline-order' -a '1f1b gpipe'
complete -c weft -n '__weft_before_is --alltoall' -a 'schedules flow'
complete -c weft -n '__weft_before_is --sync' -a 'lockstep per-rank dataflow'
complete -c weft -n '__weft_before_is --release' -a 'injected delivered acknowledged'
complete -c weft -n '__weft_before_is --ejection' -a 'any phase'
complete -c weft -n '__weft_before_is -o --output --chart --charts --csv --page --layer-times --chrome-trace --timeline --trace --write-trace --prices --schedule --store --preload' -F

set -l operands 'not __weft_before_is -t --topology; and not __weft_wants_other_value'
complete -c weft -n "__weft_command_is topology economics; and $operands" -a '(__weft_topologies)'
complete -c weft -n "__weft_command_is schedule compare synthesize order simulate; and $operands" -a '(__weft_names collectives)'
complete -c weft -n "__weft_command_is train; and $operands" -a '(__weft_names workloads)'
complete -c weft -n "__weft_command_is train; and $operands" -F
complete -c weft -n "__weft_command_is list; and $operands" -a 'topologies networks placements algorithms costs symbols options libraries collectives models routings traffic formats experiments groups claims kinds fields columns workloads devices machines'
complete -c weft -n "__weft_command_is testbed; and $operands" -a 'run compare clean list'
complete -c weft -n "__weft_command_is results; and $operands" -a 'merge diff'
complete -c weft -n "__weft_command_is plan; and $operands" -a 'show check'
complete -c weft -n "__weft_command_is where; and $operands" -a pmpi
complete -c weft -n "__weft_command_is reproduce; and $operands" -a '(__weft_names experiments)'
complete -c weft -n "__weft_command_is simulate verify cost draw sweep results reproduce plan fit testbed; and $operands" -F
