# bash completion for weft. Commands and options are read from the program's own --help, names from
# `weft list`, so that this file does not age with them.

_weft_wide=100000 # columns: tables are not wrapped

# Adds each line of the text to the replies (zsh has no mapfile).
_weft_add() { # text
  local line
  while IFS= read -r line; do
    if [[ -n $line ]]; then COMPREPLY+=("$line"); fi
  done <<<"$1"
}

# The names in the first column of `weft list WHAT`, below its heading. Functions of topologies are left
# out: their brackets need quotes.
_weft_names() { # program, what
  COLUMNS=$_weft_wide "$1" list "$2" 2>/dev/null | awk 'NR > 1 && $1 ~ /^[a-z0-9]/ && !index($0, " " $1 "(") { print $1 }'
}

# Experiments and their groups: the first two columns, under their headings.
_weft_experiments() { # program
  COLUMNS=$_weft_wide "$1" list experiments 2>/dev/null | awk '
    NR == 1 { title = index($0, "title"); next }
    { print substr($0, 1, title - 1) }' | tr -s ' ' '\n' | sort -u
}

_weft_commands() { # program: the names at the left of its help, with a summary at their right
  COLUMNS=$_weft_wide "$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'
}

_weft_takes_value() { # program, command, option: the help says "--option TEXT" or "--option N"
  [[ $3 == -* ]] && "$1" "$2" --help-all 2>/dev/null | grep -qE -- "(^|[ ,])$3(,--[a-z-]*)* (TEXT|N)( |\$)"
}

_weft_options() { # program, command or nothing
  "$1" ${2:+"$2"} --help-all 2>/dev/null | grep -oE '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,' | sort -u
}

# The command on the line, or nothing: the first word that is neither an option nor the program.
_weft_command_on_line() {
  local i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${COMP_WORDS[i]}" in
      -*) ;;
      *) echo "${COMP_WORDS[i]}" && return ;;
    esac
  done
}

_weft_topologies() { # program, current word
  local name
  for name in $(_weft_names "$1" topologies); do
    if [[ $name == "$2"* && $name != file ]]; then COMPREPLY+=("$name:"); fi
  done
  if [[ file == "$2"* ]]; then COMPREPLY+=("file:"); fi
  compopt -o nospace 2>/dev/null || true # zsh has no compopt
}

# Completes the last name of a comma-separated list.
_weft_list_of() { # names, current word
  local head="" last="$2" name
  if [[ $2 == *,* ]]; then head="${2%,*}," last="${2##*,}"; fi
  for name in $1; do
    if [[ $name == "$last"* ]]; then COMPREPLY+=("$head$name"); fi
  done
}

_weft_values() { # program, command, option, current word: fails where the option takes no value
  case "$3" in
    -t | --topology) _weft_topologies "$1" "$4" ;;
    -a | --algorithm | --algorithms | --baseline) _weft_list_of "$(_weft_names "$1" algorithms)" "$4" ;;
    --model) _weft_list_of "$(_weft_names "$1" models)" "$4" ;;
    --routing) _weft_list_of "$(_weft_names "$1" routings)" "$4" ;;
    --traffic) _weft_list_of "$(_weft_names "$1" traffic)" "$4" ;;
    --device) _weft_list_of "$(_weft_names "$1" devices)" "$4" ;;
    --parallel) _weft_list_of "data sharded expert tensor= pipeline= data= sequence" "$4" ;;
    --pipeline-order) _weft_list_of "1f1b gpipe" "$4" ;;
    --alltoall) _weft_list_of "schedules flow" "$4" ;;
    --sync) _weft_list_of "lockstep per-rank dataflow" "$4" ;;
    --release) _weft_list_of "injected delivered acknowledged" "$4" ;;
    --switching) _weft_list_of "cut-through store-and-forward wormhole" "$4" ;;
    --arbitration) _weft_list_of "first-come round-robin age" "$4" ;;
    --self-messages) _weft_list_of "local network" "$4" ;;
    --ejection) _weft_list_of "any phase" "$4" ;;
    --sharing) _weft_list_of "max-min rtt smpi" "$4" ;;
    --receives) _weft_list_of "early in-step" "$4" ;;
    --cables) # of degrade it is what fails
      if [[ $2 != degrade ]]; then _weft_list_of "duplex shared" "$4"; fi
      ;;
    --search) # of find it is a number of seconds
      if [[ $2 == order ]]; then _weft_list_of "two-opt anneal none" "$4"; fi
      ;;
    --objective) _weft_list_of "hops makespan time" "$4" ;;
    --moves) _weft_list_of "reversal swap both" "$4" ;;
    --roots) _weft_list_of "0 all" "$4" ;;
    --start) _weft_list_of "linear random bfs blocks metis file:" "$4" ;;
    --measure) _weft_list_of "cheap distances auto all" "$4" ;;
    --layout) _weft_list_of "chord" "$4" ;;
    --links) _weft_list_of "all top:10" "$4" ;;
    --placement) _weft_list_of "linear random round-robin round-robin-router round-robin-group lone-root deepest file:" "$4" ;;
    --kinds) _weft_list_of "2dfc25 2dfc50 2dfc100 slimfly dragonfly fat-tree hamming kautz torus-3d torus-5d fat-tree-2 fat-tree-3" "$4" ;;
    --prices | --layer-times | --chrome-trace | --timeline | --trace | --write-trace | --chart | --charts | --csv | --page | --store | --schedule | --preload | -o | --output) _weft_add "$(compgen -f -- "$4")" ;;
    *) _weft_takes_value "$1" "$2" "$3" ;;
  esac
}

# What follows a command without an option before it.
_weft_operands() { # program, command, current word
  case "$2" in
    "" | help) _weft_list_of "$(_weft_commands "$1")" "$3" ;;
    topology | economics | throughput | load-curve) _weft_topologies "$1" "$3" ;;
    schedule | compare | optimum | synthesize | order) _weft_list_of "$(_weft_names "$1" collectives)" "$3" ;;
    simulate)
      _weft_list_of "$(_weft_names "$1" collectives)" "$3"
      _weft_add "$(compgen -f -- "$3")"
      ;;
    train)
      _weft_list_of "$(_weft_names "$1" workloads)" "$3"
      _weft_add "$(compgen -f -- "$3")"
      ;;
    list) _weft_list_of "topologies networks placements algorithms costs symbols options libraries collectives models routings traffic formats experiments groups claims kinds fields columns workloads devices machines" "$3" ;;
    reproduce)
      _weft_list_of "$(_weft_experiments "$1")" "$3"
      _weft_add "$(compgen -f -- "$3")"
      ;;
    testbed) _weft_list_of "run compare clean list" "$3" ;;
    plan)
      _weft_list_of "show check" "$3"
      _weft_add "$(compgen -f -- "$3")"
      ;;
    where) _weft_list_of "pmpi" "$3" ;;
    results)
      _weft_list_of "merge diff" "$3"
      _weft_add "$(compgen -f -- "$3")"
      ;;
    *) _weft_add "$(compgen -f -- "$3")" ;;
  esac
}

_weft() {
  local program="${COMP_WORDS[0]}" word="${COMP_WORDS[COMP_CWORD]}"
  local before="${COMP_WORDS[COMP_CWORD - 1]}" command
  command=$(_weft_command_on_line)
  COMPREPLY=()
  # Readline cuts words at ':' and '='; nothing is known about what stands behind a colon but files.
  if [[ $word == : || $before == : ]]; then
    _weft_add "$(compgen -f -- "${word#:}")"
  elif [[ $word == -* ]]; then
    _weft_add "$(compgen -W "$(_weft_options "$program" "$command")" -- "$word")"
  elif ! _weft_values "$program" "$command" "$before" "$word"; then
    _weft_operands "$program" "$command" "$word"
  fi
}

complete -F _weft weft
