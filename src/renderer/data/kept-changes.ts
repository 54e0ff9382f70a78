import { useEffect } from 'react'
import { create } from 'zustand'
import { useFeed } from './feed.ts'
import { sandbox } from './sandbox.ts'
import { readStored, writeStored } from './stored.ts'
import { shownWorld } from './world-address.ts'

/**
 * The last change in each place of the window, so that its Undo and Redo are still there when the user comes back or reloads the
 * window. Whether the change is undone is not kept: only the sandbox knows.
 */

interface Change {
  /** The commit before the change, and its last one. */
  readonly before: number
  readonly seq: number
}

interface Kept {
  readonly change: Change
  /** Tells its commit from another one with the same number, of another world at this address. */
  readonly mark: string
}

interface State {
  readonly changes: Readonly<Record<string, Change>>
  /** From before the window was loaded: used once the sandbox has confirmed them. */
  readonly unconfirmed: Readonly<Record<string, Kept>>
}

const storageKey = () => `sandbank.changes ${shownWorld() ?? ''}`

function readKept(): State['unconfirmed'] {
  const stored = (readStored('sessionStorage', storageKey()) ?? {}) as Record<string, Kept>
  return Object.fromEntries(Object.entries(stored).filter(([, kept]) => Number.isInteger(kept?.change?.seq)))
}

function store(place: string, kept: Kept | null) {
  const { [place]: _, ...others } = readKept()
  writeStored('sessionStorage', storageKey(), kept ? { ...others, [place]: kept } : others)
}

const useChanges = create<State>()(() => ({ changes: {}, unconfirmed: readKept() }))

/** What the sandbox says about a commit, as a text that can be compared. */
async function readMark(seq: number): Promise<string | null> {
  const [commit] = (await sandbox['world.commits']({ limit: 1, before: seq + 1 })).commits
  return commit?.seq === seq ? JSON.stringify([commit.at, commit.cause]) : null
}

function keepChange(place: string, change: Change | null) {
  useChanges.setState(({ changes, unconfirmed }) => {
    const { [place]: _, ...others } = changes
    const { [place]: __, ...rest } = unconfirmed
    return { changes: change ? { ...others, [place]: change } : others, unconfirmed: rest }
  })
  store(place, null)
  if (!change) return
  readMark(change.seq).then(
    (mark) => mark !== null && useChanges.getState().changes[place] === change && store(place, { change, mark }),
    // Without a connection it is only not kept for a reload.
    () => {},
  )
}

/** `place`: what the change is about, e.g. `settings <uid>`. */
export function useKeptChange<T extends Change>(place: string): [T | null, (change: T | null) => void] {
  const change = useChanges(({ changes }) => changes[place]) as T | undefined
  const unconfirmed = useChanges((state) => state.unconfirmed[place])
  const isLive = useFeed((feed) => feed.connection === 'live')
  useEffect(() => {
    if (!unconfirmed || !isLive) return
    readMark(unconfirmed.change.seq).then(
      (mark) => {
        if (useChanges.getState().unconfirmed[place] === unconfirmed)
          keepChange(place, mark === unconfirmed.mark ? unconfirmed.change : null)
      },
      () => {},
    )
  }, [unconfirmed, isLive, place])
  return [change ?? null, (to) => keepChange(place, to)]
}
