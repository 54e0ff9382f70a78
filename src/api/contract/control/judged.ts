import type { MigrationReport } from './migration.ts'

/** How much was judged, and whether anything differs; for the window and the command line. */
export function formatJudged({ findings, requests, actions, log_complete }: MigrationReport): string {
  if (requests + actions === 0) return 'Nothing is logged yet: let your app call the sandbox, then ask again.'
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
  const found = findings.length === 0 ? 'Nothing differs' : count(findings.length, 'rule')
  const older = log_complete ? '' : '; older ones are no longer in it'
  return `${found}, by ${count(requests, 'request')} and ${count(actions, 'action')} of the log${older}.`
}
