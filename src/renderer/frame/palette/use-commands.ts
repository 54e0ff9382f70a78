import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { collections } from '../../data/collections.ts'
import { useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useTheme } from '../../data/theme.ts'
import { useNow } from '../../data/use-now.ts'
import { useProgram } from '../../data/use-program.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatIsoDate } from '../../format/time.ts'
import { actionCommands, screenCommands, undoTarget } from './action-commands.ts'
import { clockCommands } from './clock-commands.ts'
import type { Command, CommandGroup } from './command.ts'
import { readRecentCommands } from './recent-commands.ts'
import { type FoundRecord, openRecordCommands, rankCommands, recordCommands, ruleCommands } from './search-commands.ts'

const DAYS_AHEAD = 400
const DAY_MS = 86_400_000
const MAX_PER_GROUP = 6

/** Everything that fits what is typed, in groups, the likeliest first. `looking` while a uid is still asked for. */
export function useCommands(typed: string, showKeys: () => void): { groups: CommandGroup[]; looking: boolean } {
  const text = typed.trim()
  const clock = useFeed((feed) => feed.clock)
  const tasks = useFeed((feed) => feed.tasks)
  const progress = useFeed((feed) => feed.progress)
  const working = useFeed((feed) => feed.job)
  const faults = useFeed((feed) => feed.faults)
  const programs = useFeed((feed) => feed.programs)
  const exchanges = useFeed((feed) => feed.exchanges)
  const seq = useFeed((feed) => feed.seq)
  const theme = useTheme((state) => state.theme)
  const program = useProgram()
  const now = useNow()
  const { screen, collection, record } = useRoute()
  const { data: calendar } = useQuery('calendar.read', clock ? { from: formatIsoDate(now), days: DAYS_AHEAD } : null)
  const holidays = useMemo(() => new Set(calendar?.holidays.map(({ date }) => date)), [calendar])
  const onRecord = screen === 'record' && collection !== null && record !== null
  const { data: moves } = useQuery('moves.list', onRecord ? { collection, uid: record } : null, [collection ?? ''])
  const back = undoTarget(seq) + 2
  const { data: commits } = useQuery('world.commits', back > 1 ? { limit: 1, before: back } : null)
  const found = useRecordSearch(text, program?.uid)
  const searched = useDeferredValue(text)

  const here = openRecordCommands({ screen, collection, record }, moves?.moves ?? [])
  const hands = clock
    ? clockCommands(
        {
          clock,
          now,
          tasks,
          holidays,
          until: calendar ? now + (DAYS_AHEAD - 1) * DAY_MS : now,
          advancing: progress !== null,
        },
        text,
      )
    : []
  const undone = commits?.commits[0]
  const acts = actionCommands({ now, seq, undone, working, faults, programs, program, theme, showKeys }, text)
  const goes = useMemo(screenCommands, [])
  const rules = useMemo(() => (searched === '' ? [] : ruleCommands(searched, exchanges)), [searched, exchanges])

  const hereTitle = onRecord ? `This ${collections[collection].one}` : 'This request'
  if (text === '') {
    const lately = readRecentCommands().flatMap(
      (id) => [...hands, ...acts, ...goes].find((command) => command.id === id) ?? [],
    )
    const rest = (all: readonly Command[]) => all.filter((command) => !lately.includes(command))
    return {
      looking: false,
      groups: dropEmptyGroups([
        [hereTitle, here],
        ['Recent', lately],
        ['Clock', rest(hands)],
        ['Go to', rest(goes)],
        ['Actions', rest(acts)],
      ]),
    }
  }
  const records = recordCommands(found.records, text)
  const exact = found.records[0]?.field === 'uid' && found.records[0].value === text
  // A uid is looked for before anything else is offered: whoever pastes one presses Enter at once.
  if (looksLikeUid(text) && found.text !== text) return { looking: true, groups: [] }
  const few = (all: readonly Command[]) => rankCommands(text, all).slice(0, MAX_PER_GROUP)
  return {
    looking: false,
    groups: dropEmptyGroups([
      ...(exact ? [['Records', records] as const] : []),
      ...sortByTitleMatch([
        [hereTitle, few(here)],
        ['Clock', few(hands)],
        ['Go to', few(goes)],
        ['Actions', few(acts)],
      ]),
      ...(exact ? [] : [['Records', records] as const]),
      ['Requests and rules', rules],
    ]),
  }
}

const dropEmptyGroups = (groups: readonly (readonly [string, readonly Command[]])[]): CommandGroup[] =>
  groups.flatMap(([title, items]) => (items.length > 0 ? [{ title, items }] : []))

type Group = readonly [string, readonly Command[]]
/** What is called so stands before what only has to do with it. */
const sortByTitleMatch = (groups: readonly Group[]): readonly Group[] =>
  groups.toSorted((a, b) => Number(isTitleMatch(b)) - Number(isTitleMatch(a)))
const isTitleMatch = ([, [first]]: Group) => (first?.marks ?? []).length > 0

const looksLikeUid = (text: string) => /^(?=.*[A-Z])(?=.*[a-z\d])[A-Za-z\d]{16}$/.test(text)

const PAUSE_MS = 60

/** What was found stays until there is something newer. */
function useRecordSearch(text: string, program_uid: string | undefined) {
  const [found, setFound] = useState<{ text: string; records: readonly FoundRecord[] }>({ text: '', records: [] })
  const asked = useRef(0)
  useEffect(() => {
    const mine = ++asked.current
    if (text === '') return setFound({ text: '', records: [] })
    const settle = (records: readonly FoundRecord[]) => mine === asked.current && setFound({ text, records })
    const timer = setTimeout(
      () => {
        const input = { text: text.slice(0, 200), ...(program_uid === undefined ? {} : { program_uid }) }
        sandbox['records.search'](input).then(
          ({ records }) => settle(records),
          () => settle([]),
        )
      },
      looksLikeUid(text) ? 0 : PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [text, program_uid])
  return found
}
