import { useEffect } from 'react'
import { create } from 'zustand'
import { readStored, writeStored } from '../format/stored.ts'
import { useFeed } from './feed.ts'
import { sandbox } from './sandbox.ts'
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
  /** Tells its commit from another one with the same number, of another world at this address; null until it is read. */
  readonly mark: string | null
  /** From before the window was loaded: used once the sandbox has confirmed it. */
  readonly isOld?: boolean
}

type Changes = Readonly<Record<string, Kept | undefined>>

const storageKey = () => `sandbank.changes ${shownWorld() ?? ''}`

const useChanges = create<Changes>()(() => {
  const stored = Object.entries((readStored('sessionStorage', storageKey()) ?? {}) as Changes)
  const valid = stored.filter(([, kept]) => Number.isInteger(kept?.change?.seq))
  return Object.fromEntries(valid.map(([place, kept]) => [place, { ...kept!, isOld: true }]))
})

function put(place: string, kept: Kept | undefined) {
  useChanges.setState({ [place]: kept })
  const marked = Object.entries(useChanges.getState()).filter(([, one]) => one && one.mark !== null)
  writeStored('sessionStorage', storageKey(), Object.fromEntries(marked))
}

/** What the sandbox says about a commit, as a text that can be compared. */
async function readMark(seq: number): Promise<string | null> {
  const [commit] = (await sandbox['world.commits']({ limit: 1, before: seq + 1 })).commits
  return commit?.seq === seq ? JSON.stringify([commit.at, commit.cause]) : null
}

async function keepChange(place: string, change: Change | null) {
  const kept = change ? { change, mark: null } : undefined
  put(place, kept)
  if (!kept) return
  // Without a connection it is only not kept for a reload.
  const mark = await readMark(kept.change.seq).catch(() => null)
  if (useChanges.getState()[place] === kept) put(place, { ...kept, mark })
}

/** `place`: what the change is about, e.g. `settings <uid>`. */
export function useKeptChange<T extends Change>(place: string): [T | null, (change: T | null) => void] {
  const kept = useChanges((changes) => changes[place])
  const isLive = useFeed((feed) => feed.connection === 'live')
  useEffect(() => {
    if (!kept?.isOld || !isLive) return
    readMark(kept.change.seq).then(
      (mark) => {
        if (useChanges.getState()[place] !== kept) return
        put(place, mark === kept.mark ? { change: kept.change, mark } : undefined)
      },
      () => {},
    )
  }, [kept, isLive, place])
  return [kept && !kept.isOld ? (kept.change as T) : null, (to) => void keepChange(place, to)]
}
