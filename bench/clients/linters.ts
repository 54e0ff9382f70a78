import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, withSandbox } from './sandbox.ts'

interface Problem {
  readonly message: string
}

function expectNoProblems(problems: readonly Problem[]): string {
  if (problems.length === 0) return 'no errors, no warnings'
  const messages = problems.map(({ message }) => message).join('\n')
  throw new Error(`no errors and no warnings are expected, ${problems.length} were found:\n${messages}`)
}

const LINT_CODES = [0, 1]

export async function lintWithRedocly(context: Context): Promise<string> {
  const { tools, folder, document } = context
  await withSandbox(context, async () => {})
  const args = ['lint', '--extends=recommended', '--format=json', '--max-problems=1000', document]
  const { problems } = JSON.parse(await tools.run('@redocly/cli', args, folder, LINT_CODES)) as { problems: Problem[] }
  return expectNoProblems(problems)
}

export async function lintWithSpectral(context: Context): Promise<string> {
  const { tools, folder, document } = context
  await withSandbox(context, async () => {})
  writeFileSync(join(folder, 'ruleset.json'), JSON.stringify({ extends: ['spectral:oas'] }))
  const args = ['lint', '--ruleset=ruleset.json', '--format=json', '--quiet', document]
  return expectNoProblems(JSON.parse(await tools.run('@stoplight/spectral-cli', args, folder, LINT_CODES)) as Problem[])
}
