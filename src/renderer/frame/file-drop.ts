import { create } from 'zustand'
import { BUNDLE, endingOf, SCENARIOS, scenarioNameOf } from '../../api/contract/file-kinds.ts'
import { useFeed } from '../data/feed.ts'
import { openImport, openBundle as openInWorld } from '../data/replay.ts'
import { readFileText } from '../data/replay-input.ts'
import { useRoute } from '../data/route.ts'
import { sandbox } from '../data/sandbox.ts'
import { errorText, formatCount } from '../format/text.ts'

/** Opens a file that is dropped on the window, in both hosts. The browser never navigates to it. */

interface DropState {
  /** Files are dragged over the window. */
  readonly isOver: boolean
  readonly error: string | null
  /** Another scenario has the same name: the user decides whether to replace it. */
  readonly conflict: {
    readonly file: string
    readonly name: string
    readonly text: string
    readonly own: boolean
  } | null
}

const idle: DropState = { isOver: false, error: null, conflict: null }

export const useFileDrop = create<DropState>()(() => idle)
export const dismissDrop = () => useFileDrop.setState(idle)
const showError = (error: string) => useFileDrop.setState({ error })

const HAR = '.har'
const MAX_BYTES = 256 << 20

const openers: Readonly<Record<string, (file: string, text: string) => void | Promise<void>>> = {
  [BUNDLE]: openBundle,
  ...Object.fromEntries(SCENARIOS.map((ending) => [ending, openScenario])),
  [HAR]: openHar,
}

async function openDroppedFiles(files: readonly File[]) {
  useFileDrop.setState(idle)
  const [file, ...more] = files
  if (!file) return
  if (more.length > 0) return showError(`${formatCount(files.length)} files were dropped. Drop one file at a time.`)
  const { name, size } = file
  const open = openers[endingOf(name)]
  if (!open)
    return showError(`${name}: a bundle (.sandbank), a scenario (.yaml, .yml) or a HAR file (.har) is expected.`)
  if (size > MAX_BYTES)
    return showError(`${name} has ${formatCount(Math.ceil(size / 2 ** 20))} MB; at most 256 MB are read.`)
  let text: string
  try {
    text = await readFileText(file)
  } catch {
    return showError(`${name} could not be read as text.`)
  }
  await open(name, text)
}

function openBundle(_file: string, text: string) {
  if (openImport(null)) void openInWorld(text)
  else showError(RUNNING)
}

function openHar(file: string, text: string) {
  if (!openImport({ name: file, text })) showError(RUNNING)
}

const RUNNING = 'A replay is running. Drop the file again when it has ended.'

async function openScenario(file: string, text: string) {
  const name = scenarioNameOf(file)
  await reportFailure(file, async () => {
    const { scenarios } = await sandbox['scenarios.list']({})
    const existing = scenarios.find((other) => other.name === name)
    const replaces = existing !== undefined && (await sandbox['scenarios.read']({ name })).text !== text
    if (replaces) useFileDrop.setState({ conflict: { file, name, text, own: existing.own } })
    else await saveScenario(name, text)
  })
}

async function saveScenario(name: string, text: string) {
  await sandbox['scenarios.save']({ name, text })
  useRoute.getState().go({ screen: 'scenarios', record: name })
}

const reportFailure = (file: string, work: () => Promise<void>) =>
  work().catch((error: unknown) => showError(`${file}: ${errorText(error)}`))

export async function replaceScenario() {
  const { conflict } = useFileDrop.getState()
  dismissDrop()
  if (conflict) await reportFailure(conflict.file, () => saveScenario(conflict.name, conflict.text))
}

const acceptsText = (target: EventTarget | null) => target instanceof HTMLElement && target.matches('input, textarea')

export function listenToDrops(): () => void {
  const onDragOver = (event: DragEvent) => {
    const { dataTransfer, defaultPrevented } = event
    const hasFiles = dataTransfer?.types.includes('Files') === true
    // A part of a screen may accept files itself, and text fields accept dragged text.
    if (!defaultPrevented && (hasFiles || !acceptsText(event.target))) {
      event.preventDefault()
      if (dataTransfer) dataTransfer.dropEffect = hasFiles && canOpen() ? 'copy' : 'none'
    }
    setOver(hasFiles && !defaultPrevented && canOpen())
  }
  const onDragLeave = (event: DragEvent) => {
    if (event.relatedTarget === null) setOver(false)
  }
  const onDrop = (event: DragEvent) => {
    setOver(false)
    const files = [...(event.dataTransfer?.files ?? [])]
    if (event.defaultPrevented || (files.length === 0 && acceptsText(event.target))) return
    event.preventDefault()
    if (canOpen()) void openDroppedFiles(files)
  }
  const setOver = (isOver: boolean) => {
    if (useFileDrop.getState().isOver !== isOver) useFileDrop.setState({ isOver })
  }
  const canOpen = () => useFeed.getState().connection === 'live'
  window.addEventListener('dragover', onDragOver)
  window.addEventListener('dragleave', onDragLeave)
  window.addEventListener('drop', onDrop)
  return () => {
    window.removeEventListener('dragover', onDragOver)
    window.removeEventListener('dragleave', onDragLeave)
    window.removeEventListener('drop', onDrop)
  }
}
