import { useCallback, useEffect, useRef, useState } from 'react'
import type { CommitSummary } from '../../api/contract/control/history.ts'
import { useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'

/** Whether a change is part of the current world. The sandbox knows, so it is the same in each window and after a reload. */

export interface UndoState {
  /** The rewind, restore, reset or import that undid it; null if the change is part of the current world. */
  readonly undoneBy: CommitSummary | null
  /** The newest commit when this was read, and the commits that undoing or redoing undoes as well. */
  readonly newest: number
  readonly later: number
}

/** More later commits are counted by their numbers alone. */
const COUNTED = 100

/** `seq`: the last commit of the change, which begins after the commit `before`. Null if there is nothing to undo. */
async function readUndoState(before: number, seq: number): Promise<UndoState | null> {
  const [[first], newest] = await Promise.all([readCommits(1, before + 1), readCommits(COUNTED)])
  if (first?.seq !== before + 1) return null
  const [undoneBy = null] = first.left_by === null ? [] : await readCommits(1, first.left_by)
  const after = undoneBy?.seq ?? seq
  const last = newest[0]?.seq ?? after
  const later =
    newest.length === COUNTED && newest.at(-1)!.seq > after
      ? last - after
      : newest.filter((commit) => commit.seq > after && !commit.left && commit.goes_on_from === null).length
  return { undoneBy, newest: last, later }
}

/** The newest commits up to one. */
const readCommits = async (limit: number, upTo?: number): Promise<readonly CommitSummary[]> =>
  (await sandbox['world.commits']({ limit, ...(upTo === undefined ? {} : { before: upTo + 1 }) })).commits

/** Undefined until it is known; null if there is nothing to undo. */
export function useUndoState(before: number, seq: number) {
  const version = useFeed(({ versions }) => versions['*'] ?? 0)
  const [state, setState] = useState<UndoState | null>()
  const reading = useRef(0)
  const refresh = useCallback(async () => {
    const own = ++reading.current
    const read = await readUndoState(before, seq)
    if (own === reading.current) setState(read)
  }, [before, seq])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a rewind by any client increases the version.
  useEffect(() => {
    // Without a connection the last known state stays; it is read again after reconnecting.
    refresh().catch(() => {})
    return () => void reading.current++
  }, [refresh, version])
  return { state, refresh }
}
