#compdef weft
# zsh completion for weft: the bash completion, through zsh's own bridge.
autoload -U +X bashcompinit && bashcompinit
source "${${(%):-%x}:A:h}/../../bash-completion/completions/weft"
_bash_complete -o default -F _weft
