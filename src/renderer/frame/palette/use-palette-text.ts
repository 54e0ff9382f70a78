import { useEffect, useRef, useState } from 'react'
import { closePalette, usePalette } from '../../data/palette.ts'
import type { Command } from './command.ts'
import { rememberCommand } from './recent-commands.ts'
import { useCommands } from './use-commands.ts'

export interface PaletteTextProps {
  readonly showKeys: () => void
  readonly onDone: (said: string | undefined, afterwards: (() => void) | undefined, travels: boolean) => void
}

/** What is typed, which commands fit it, and what the keys do with them. */
export function usePaletteText({ showKeys, onDone }: PaletteTextProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const early = usePalette((state) => state.early)
  useEffect(() => {
    if (early === '') return
    usePalette.setState({ early: '' })
    setText((was) => was + early)
    input.current?.focus()
  }, [early])
  const [refused, setRefused] = useState<string | null>(null)
  const [previewed, setPreviewed] = useState<Command | null>(null)
  const [busy, setBusy] = useState(false)
  const { groups, looking } = useCommands(text, showKeys)
  const highlighted = useRef<Command | undefined>(undefined)
  /** Enter was pressed while a pasted uid was still looked for. */
  const eager = useRef(false)

  const write = (to: string) => {
    setText(to)
    setRefused(null)
    setPreviewed(null)
    eager.current = false
    highlighted.current = undefined
  }
  const act = async (command: Command) => {
    if (busy) return
    if (!command.run) return write(command.fill ?? '')
    const before = location.hash
    setBusy(true)
    setRefused(null)
    const told = await command.run()
    setBusy(false)
    if (told?.refused !== undefined) return setRefused(told.refused)
    if (REPEATABLE.test(command.id)) rememberCommand(command.id)
    onDone(told?.said, told?.afterwards, location.hash !== before)
  }

  const first = groups[0]?.items[0]
  useEffect(() => {
    if (!eager.current || looking || !first) return
    eager.current = false
    void act(first)
  })

  const onKeyDown = (event: React.KeyboardEvent & { preventBaseUIHandler(): void }) => {
    const mine = () => {
      event.preventDefault()
      event.preventBaseUIHandler()
    }
    // What is highlighted, as it is now; right after a letter nothing is yet, and the first one is meant.
    const meant = highlighted.current?.id
    const chosen = previewed ?? groups.flatMap(({ items }) => items).find(({ id }) => id === meant) ?? first
    if (event.key === 'Escape') {
      mine()
      event.stopPropagation()
      if (previewed) setPreviewed(null)
      else closePalette()
    } else if (event.key === 'Tab' && !event.shiftKey && chosen) {
      mine()
      write(chosen.fill ?? chosen.title)
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      mine()
      if (chosen) setPreviewed(chosen)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      mine()
      if (chosen) void act(chosen)
      else eager.current = looking
    } else if (previewed && event.key.startsWith('Arrow')) mine()
  }

  return { text, write, input, groups, looking, highlighted, refused, previewed, act, onKeyDown }
}

/** What is of this record or this text alone is not worth remembering. */
const REPEATABLE =
  /^(go|advance (next|hour|business day|idle)|advance$|mode|pace|keep|undo|copy address|clear faults|new |import|export|theme |keys|key|begin )/
