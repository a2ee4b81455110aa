# bash completion for sigwhy; made by: sigwhy completion bash
_sigwhy() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options= i
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "run show list rejudge confirm bisect check verify attach open release demo learn schema man completion version help --help --version" -- "$cur"))
    return
  fi
  if [ "${COMP_WORDS[1]}" = run ]; then
    for ((i = 2; i < COMP_CWORD; i++)); do
      if [ "${COMP_WORDS[i]}" = -- ]; then
        if declare -F _command_offset >/dev/null; then _command_offset $((i + 1)); else COMPREPLY=($(compgen -c -f -- "$cur")); fi
        return
      fi
    done
  fi
  case $prev in
    --colour) COMPREPLY=($(compgen -W "auto always never" -- "$cur")); return ;;
    --on-hang) COMPREPLY=($(compgen -W "report kill" -- "$cur")); return ;;
  esac
  case ${COMP_WORDS[1]} in
    run) options="--json --full --quiet --always --no-ptrace --tee --guard --guard=sampled --guard=all --guard=before --forecast --termination-log --tensorboard --colour --no-colour --values --no-values --hang --on-hang --help" ;;
    show) options="--full --json --format --colour --no-colour --help" ;;
    list) options="--ids --colour --no-colour --help" ;;
    rejudge) options="--help" ;;
    confirm) options="--only --list --param --version --sizes --threads --runs --time --timeout --network --yes --verbose --full --json --colour --no-colour --help" ;;
    bisect) options="--over --smallest --memory --votes --runs --time --timeout --disk --network --yes --json --colour --no-colour --help" ;;
    check) options="--import --yes --json --colour --no-colour --help" ;;
    verify) options="--json --limit --colour --no-colour --help" ;;
    attach) options="--full --memory --json --values --no-values --colour --no-colour --help" ;;
    open) options="--full --json --format --colour --no-colour --help" ;;
    release) options="--help" ;;
    demo) options="--lab --list --python --environment --brief --help" ;;
    learn) options="--print --help" ;;
    schema) options="--table --help" ;;
    man) options="--help" ;;
    completion) options="--help" ;;
    version) options="--help" ;;
    help) options="run show list rejudge confirm bisect check verify attach open release demo learn schema man completion version help" ;;
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *)
      case ${COMP_WORDS[1]} in
        help) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
        show | rejudge) COMPREPLY=($(compgen -W "$(sigwhy list --ids 2>/dev/null)" -- "$cur")) ;;
        demo) COMPREPLY=($(compgen -W "$(sigwhy demo --list 2>/dev/null)" -- "$cur")) ;;
        completion) COMPREPLY=($(compgen -W bash -- "$cur")) ;;
        *) COMPREPLY=($(compgen -f -- "$cur")) ;;
      esac
      ;;
  esac
}
complete -o filenames -F _sigwhy sigwhy
