// npm run docs: writes the pages of docs/ that are generated from the code: the assumptions (`Assumed:` comments), the outcomes
// that data can force, the methods of the control API, and the commands.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load, staleFiles, writeFiles } from './generated.mjs'
import { filesIn, root } from './prepare.mjs'

/** From the weakest to the strongest. */
const grades = {
  invented:
    'No public document says it. Also every limit and custom of the sandbox itself, which the platform does not have.',
  sibling: 'A like endpoint, field or code of the platform does so, or the rules of the payment networks.',
  example: 'Only an example of a public document, or the code of a published client, shows it.',
  published: 'A public document of the platform says it, and the specification does not, or two of them differ.',
}

/**
 * Each `Assumed (grade): …` or `Assumed (grade; setting): …` in a comment, to the end of its paragraph, is one assumption. A sentence of several
 * parts has the grade of its weakest.
 */
function readAssumptions() {
  const found = []
  for (const path of filesIn(join(root, 'src')).filter((path) => /\.tsx?$/.test(path))) {
    const file = `src/${path}`
    const text = readFileSync(join(root, file), 'utf8')
    for (const comment of text.matchAll(/\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm))
      for (const sentence of comment[0].matchAll(/\bAssumed\b(?:(?!\n[ \t]*(?:\*|\/\/)[ \t]*\n)[\s\S])*/g)) {
        const line = text.slice(0, comment.index + sentence.index).split('\n').length
        const plain = sentence[0].replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/)?/g, ' ').replace(/\s*\*\/[\s\S]*$/, '')
        const [, grade, , setting, said] =
          /^Assumed(?: \(([^;)]*)(; ([^)]*))?\))?: (.*)$/.exec(plain.replaceAll(/\s+/g, ' ').trim()) ?? []
        found.push({ file, line, grade, setting, sentence: said })
      }
  }
  return found
}

/** What is wrong with the assumptions, each with its file and line. */
export async function assumptionErrors(found = readAssumptions()) {
  const { ProgramSettings, drawnSettings } = await contract('resources/programs')
  const known = Object.keys(grades).join(', ')
  const wrong = found.flatMap(({ file, line, grade, setting }) => {
    const at = `${file}:${line}: `
    if (grade === undefined) return [`${at}the form "Assumed (grade): …" is expected, with one of ${known}`]
    if (!Object.hasOwn(grades, grade)) return [`${at}the grade ${grade} is unknown; one of ${known} is expected`]
    if (setting === undefined || Object.hasOwn(ProgramSettings.shape, setting)) return []
    return [`${at}there is no Program setting ${setting}; name one of contract/resources/programs.ts, or none`]
  })
  const named = new Set(found.map(({ setting }) => setting))
  const unnamed = drawnSettings.filter((setting) => !named.has(setting))
  return [...wrong, ...unnamed.map((setting) => `no assumption names ${setting}, which hard_mode draws`)]
}

async function assumptionSections() {
  const found = readAssumptions()
  const { drawnValues } = await contract('resources/programs')
  const gradeRows = Object.entries(grades).map(([grade, meaning]) => {
    const count = found.filter((one) => one.grade === grade).length
    return [`[${grade}](#${grade})`, String(count), meaning]
  })
  const settings = found.filter(({ setting }) => setting !== undefined)
  const settingRows = settings.map(({ setting, grade, sentence }) => [
    `\`${setting}\``,
    drawnValues[setting]?.map((value) => `\`${value}\``).join(', ') ?? '',
    capitalized(sentence),
    grade,
  ])
  const rowOf = ({ file, sentence, setting }) => [
    capitalized(sentence),
    setting === undefined ? '' : `\`${setting}\``,
    `[${file.split('/').at(-1)}](../${file})`,
  ]
  return [
    formatTable([['Grade', 'Sentences', 'Meaning'], ...gradeRows]),
    readFileSync(join(root, 'scripts', 'assumptions.md'), 'utf8').trim(),
    formatTable([['Setting', 'hard_mode draws one of', 'Varies', 'Grade'], ...settingRows]),
    ...Object.keys(grades).map((grade) => {
      const rows = found.filter((one) => one.grade === grade).map(rowOf)
      return `## ${capitalized(grade)}\n\n${formatTable([['Decision', 'Setting', 'Where'], ...rows])}`
    }),
  ]
}

const contract = (name) => load('src', 'api', 'contract', `${name}.ts`)

const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1)

const pages = {
  'docs/assumptions.md': {
    text: `# Assumptions

What Sandbank does where the specification is silent, by how much supports it.`,
    sections: assumptionSections,
  },
  'docs/triggers.md': {
    text: `# Forced outcomes

Names and numbers that decide the outcome of a payment, an onboarding or a VRN. Everything that is not listed here succeeds, unless
[you decide otherwise](control.md#decisions). \`GET /control/triggers\` and the window's Inject page have the same table.`,
    table: async () => [
      ['When', 'Then'],
      ...(await contract('triggers')).triggers.map(({ when, outcome, published }) => [
        when,
        published ? `${outcome}. It works in the [hosted sandbox](connect.md#the-hosted-sandbox), too` : outcome,
      ]),
    ],
  },
  'docs/reach.md': {
    text: `# What cannot be reached

\`sandbank reach\` and the control method [\`reach\`](control.md#find-a-way) find a way from the empty world to every state of a record, every event of
webhooks and every error but these. A long test asks for each.`,
    table: async () => [
      ['Goal', 'Why not'],
      ...(await contract('reach'))
        .allGoals()
        .flatMap(({ goal, unreached }) => (unreached === undefined ? [] : [[`\`${goal}\``, unreached]])),
    ],
  },
  'docs/hosted.md': {
    text: `# The hosted sandbox

What the public documents of the platform say of its own sandbox, and what a world does that [behaves so](connect.md#the-hosted-sandbox).
\`migration.report\` judges the request log of any world by these rules.`,
    table: async () => [
      ['In its public documents', 'In such a world'],
      ...(await contract('hosted')).hostedRules.map(({ published, here }) => [published, here]),
    ],
  },
  'docs/control-methods.md': {
    text: `# Methods of the control API

How to call them is on [The control API](control.md). \`GET /control/openapi.json\` describes the input and the result of each.`,
    table: async () => [
      ['Method', 'Does', 'Input, for example'],
      ...Object.entries((await contract('control/methods')).methods).map(([name, { summary, example }]) => [
        `\`${name}\``,
        summary,
        example === undefined ? '' : `\`${JSON.stringify(example)}\``,
      ]),
    ],
  },
  'docs/command-line.md': {
    text: readFileSync(join(root, 'scripts', 'command-line.md'), 'utf8').trim(),
    sections: commandSections,
  },
}

/** The usage of each command, what it does, and its options. */
async function commandSections() {
  const { commands } = await load('src', 'main', 'commands', 'table.ts')
  const { formatUsage } = await load('src', 'main', 'commands', 'help.ts')
  const { variableOf } = await load('src', 'main', 'commands', 'parse.ts')
  return Object.entries(commands).map(([name, command]) => {
    const rows = Object.entries(command.options).map(([option, row]) => [
      [row.short && `\`-${row.short}\``, `\`--${option}\``].filter(Boolean).join(', '),
      capitalized(row.text),
      `\`${variableOf(option, row)}\``,
    ])
    const about = [command.about, command.notes].filter(Boolean).join('\n\n')
    const parts = [
      `## ${name}`,
      `${capitalized(command.summary)}.`,
      `\`\`\`text\n${formatUsage(name, command)}${about === '' ? '' : `\n\n${about}`}\n\`\`\``,
      rows.length > 0 && formatTable([['Option', 'Meaning', 'Variable'], ...rows]),
    ]
    return parts.filter(Boolean).join('\n\n')
  })
}

async function pageOf({ text, table, sections }) {
  const rest = sections ? (await sections()).join('\n\n') : formatTable(await table())
  return `<!-- Generated by npm run docs: do not edit. -->\n\n${text}\n\n${rest}\n`
}

function formatTable([head, ...rows]) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const columns = `|${head.map(() => '---').join('|')}|`
  return [line(head), columns, ...rows.map(line)].join('\n')
}

const files = Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, () => pageOf(page)]))

/** The generated pages that differ from the code. */
export const stalePages = () => staleFiles(files)

if (process.argv[1] === join(root, 'scripts', 'docs.mjs')) await writeFiles(files)
