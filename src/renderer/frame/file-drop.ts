import { create } from 'zustand'
import { BUNDLE, endingOf, SCENARIOS, scenarioNameOf } from '../../api/contract/desktop.ts'
import { markChanged, useFeed } from '../data/feed.ts'
import { importBundle, setImportedFile, useReplay } from '../data/replay.ts'
import { readFileText } from '../data/replay-input.ts'
import { useRoute } from '../data/route.ts'
import { sandbox } from '../data/sandbox.ts'
import { errorText } from '../format/errors.ts'
import { formatCount } from '../format/numbers.ts'

/** A file that is dropped anywhere on the window is opened, in both hosts. Nothing that is dropped is ever navigated to. */

interface DropState {
  /** Files are held over the window. */
  readonly over: boolean
  readonly refusal: string | null
  /** What cannot be undone waits for a word. */
  readonly question: {
    readonly file: string
    readonly name: string
    readonly text: string
    readonly own: boolean
  } | null
}

const nothing: DropState = { over: false, refusal: null, question: null }

export const useFileDrop = create<DropState>()(() => nothing)
export const dismissDrop = () => useFileDrop.setState(nothing)
const refuse = (refusal: string) => useFileDrop.setState({ refusal })

const HAR = '.har'
const MAX_BYTES = 256 << 20

const openers: Readonly<Record<string, (file: string, text: string) => void | Promise<void>>> = {
  [BUNDLE]: openBundle,
  ...Object.fromEntries(SCENARIOS.map((ending) => [ending, openScenario])),
  [HAR]: openHar,
}

export async function openDroppedFiles(files: readonly File[]) {
  useFileDrop.setState(nothing)
  const [file, ...more] = files
  if (!file) return
  if (more.length > 0) return refuse(`${formatCount(files.length)} files were dropped, and one at a time is opened.`)
  const { name, size } = file
  const open = openers[endingOf(name)]
  if (!open)
    return refuse(
      `${name} was not opened: a bundle (.sandbank), a scenario (.yaml, .yml) or a HAR file (.har) is expected.`,
    )
  if (size > MAX_BYTES)
    return refuse(
      `${name} was not opened: it has ${formatCount(Math.ceil(size / 2 ** 20))} MB, and at most 256 are read.`,
    )
  let text: string
  try {
    text = await readFileText(file)
  } catch {
    return refuse(`${name} was not opened: a file of text is expected, and it could not be read as one.`)
  }
  await open(name, text)
}

function openBundle(_file: string, text: string) {
  if (goToImport()) void importBundle(text)
}

function openHar(file: string, text: string) {
  if (goToImport()) setImportedFile({ name: file, text })
}

/** Where both are told of; not while something is on its way there. */
function goToImport(): boolean {
  if (useReplay.getState().pending) {
    refuse('A replay is under way: drop the file again when it is done.')
    return false
  }
  setImportedFile(null)
  useRoute.getState().go({ screen: 'requests', params: { replay: ['import'] } })
  return true
}

async function openScenario(file: string, text: string) {
  const name = scenarioNameOf(file)
  await reportFailure(file, async () => {
    const { scenarios } = await sandbox['scenarios.list']({})
    const there = scenarios.find((other) => other.name === name)
    const replaces = there !== undefined && (await sandbox['scenarios.read']({ name })).text !== text
    if (replaces) useFileDrop.setState({ question: { file, name, text, own: there.own } })
    else await saveScenario(name, text)
  })
}

async function saveScenario(name: string, text: string) {
  await sandbox['scenarios.save']({ name, text })
  markChanged('scenarios')
  useRoute.getState().go({ screen: 'scenarios', record: name })
}

const reportFailure = (file: string, work: () => Promise<void>) =>
  work().catch((error: unknown) => refuse(`${file} was not opened. ${errorText(error)}`))

export async function replaceScenario() {
  const { question } = useFileDrop.getState()
  dismissDrop()
  if (question) await reportFailure(question.file, () => saveScenario(question.name, question.text))
}

const acceptsText = (target: EventTarget | null) => target instanceof HTMLElement && target.matches('input, textarea')

export function listenToDrops(): () => void {
  const over = (event: DragEvent) => {
    const { dataTransfer, defaultPrevented } = event
    const files = dataTransfer?.types.includes('Files') === true
    // A part of a screen may take files itself, and text belongs into a field.
    if (!defaultPrevented && (files || !acceptsText(event.target))) {
      event.preventDefault()
      if (dataTransfer) dataTransfer.dropEffect = files && opens() ? 'copy' : 'none'
    }
    set(files && !defaultPrevented && opens())
  }
  const leave = (event: DragEvent) => {
    if (event.relatedTarget === null) set(false)
  }
  const drop = (event: DragEvent) => {
    set(false)
    const files = [...(event.dataTransfer?.files ?? [])]
    if (event.defaultPrevented || (files.length === 0 && acceptsText(event.target))) return
    event.preventDefault()
    if (opens()) void openDroppedFiles(files)
  }
  const set = (to: boolean) => {
    if (useFileDrop.getState().over !== to) useFileDrop.setState({ over: to })
  }
  const opens = () => useFeed.getState().connection === 'live'
  window.addEventListener('dragover', over)
  window.addEventListener('dragleave', leave)
  window.addEventListener('drop', drop)
  return () => {
    window.removeEventListener('dragover', over)
    window.removeEventListener('dragleave', leave)
    window.removeEventListener('drop', drop)
  }
}
