import { Lightbulb, Undo2, Zap } from 'lucide-react'
import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { isRefused } from '../../data/feed.ts'
import { formatUndoneBy } from '../../format/commits.ts'
import { plural } from '../../format/numbers.ts'
import { Glyph } from '../../ui/Glyph.tsx'

/** What the request log marks: in its rows, its filters and its legend. */

export type MarkName = 'refused' | 'hints' | 'undone' | 'faults'

interface Mark {
  /** The address parameter that filters by it. */
  readonly name: MarkName
  readonly label: string
  readonly one: string
  readonly signal: 'bad' | 'wait'
  readonly Icon: (props: { readonly size?: number }) => React.ReactNode
  /** Shown in the filters and the legend even if no request has it. */
  readonly isUsual: boolean
  readonly isOn: (exchange: Exchange) => boolean
  /** In the column of marks. */
  readonly describe?: (exchange: Exchange) => string
}

const ICON = { strokeWidth: 1.6, 'aria-hidden': true } as const

export const MARKS: readonly Mark[] = [
  {
    name: 'refused',
    label: 'Refused',
    one: 'refused',
    signal: 'bad',
    isUsual: true,
    isOn: isRefused,
    Icon: () => <Glyph name="broken" />,
  },
  {
    name: 'hints',
    label: 'Hints',
    one: 'hint',
    signal: 'wait',
    isUsual: true,
    Icon: ({ size = 12 }) => <Lightbulb size={size} {...ICON} />,
    isOn: ({ hints }) => hints > 0,
    describe: ({ hints }) => plural(hints, 'hint'),
  },
  {
    name: 'undone',
    label: 'Undone',
    one: 'undone',
    signal: 'wait',
    isUsual: false,
    Icon: ({ size = 12 }) => <Undo2 size={size} {...ICON} />,
    isOn: ({ undone_by }) => undone_by !== undefined,
    describe: ({ undone_by }) => (undone_by ? `undone by ${formatUndoneBy(undone_by)}` : ''),
  },
  {
    name: 'faults',
    label: 'Faults',
    one: 'fault',
    signal: 'wait',
    isUsual: false,
    Icon: ({ size = 12 }) => <Zap size={size} {...ICON} />,
    isOn: ({ fault }) => fault !== undefined,
    describe: ({ fault }) => `fault: ${fault}`,
  },
]
