import { markChanged, type Program, useFeed } from '../../data/feed.ts'

/** Shows a changed Program at once, without waiting for the notice of the change. */
export function showProgram(program: Program) {
  useFeed.setState(({ programs }) => ({
    programs: programs.some(({ uid }) => uid === program.uid)
      ? programs.map((one) => (one.uid === program.uid ? program : one))
      : [...programs, program],
  }))
  markChanged('programs')
}
