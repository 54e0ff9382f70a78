import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { collections } from '../../data/collections.ts'
import { focusWaitingScreen } from '../../data/focus.ts'
import { announce } from '../../data/messages.ts'
import { closePalette, showShortcuts, usePalette } from '../../data/overlays.ts'
import { useRoute } from '../../data/route.ts'
import { nameOfScreen } from '../../data/screen-list.ts'
import { plural } from '../../format/text.ts'
import { Autocomplete } from '../../ui/Autocomplete.tsx'
import { Button, Tag } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { DialogClose, DialogShell } from '../../ui/Dialog.tsx'
import { Footer, Row } from '../../ui/Layout.tsx'
import { MODIFIER_KEY } from '../../ui/modifier-key.ts'
import { NoticeLine } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import type { Command, CommandGroup } from './command.ts'
import styles from './Palette.module.css'
import { type PaletteTextProps, usePaletteText } from './use-palette-text.ts'

/** The command palette: finds commands, screens, records and rules by a few letters. */
export function Palette() {
  const open = usePalette((state) => state.open)
  /** Runs when the palette has closed, and may move the focus. */
  const afterClose = useRef<(() => void) | null>(null)
  /** The command moved the focus, so that closing must not restore it. */
  const movesFocus = useRef(false)
  useEffect(() => {
    if (open) movesFocus.current = false
  }, [open])
  return (
    <DialogShell
      open={open}
      onOpenChange={(isOpen) => !isOpen && closePalette()}
      onOpenChangeComplete={(isOpen) => {
        if (isOpen) return
        focusWaitingScreen()
        afterClose.current?.()
        afterClose.current = null
      }}
      label="Command palette"
      className={styles.palette}
      backdropClassName={styles.backdrop}
      finalFocus={() => !movesFocus.current}
    >
      <PaletteBody
        onDone={(message, afterwards, hasNavigated) => {
          if (message) announce(message)
          afterClose.current = afterwards ?? null
          movesFocus.current = hasNavigated || afterwards !== undefined
          closePalette()
        }}
      />
    </DialogShell>
  )
}

function PaletteBody(props: PaletteTextProps) {
  const { onDone } = props
  const { text, write, input, groups, isSearching, highlighted, refused, act, onKeyDown } = usePaletteText(props)
  const openScreen = useRoute(({ screen, collection }) =>
    screen === 'record' ? (collection ? collections[collection].one : 'Record') : screen && nameOfScreen(screen),
  )
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      filter={null}
      value={text}
      onValueChange={(value, { reason }) => reason !== 'item-press' && write(value)}
      itemToStringValue={(command: Command) => command.title}
      autoHighlight="always"
      keepHighlight
      onItemHighlighted={(command) => void (highlighted.current = command)}
    >
      <Row gap={10} pad="0 16" least={44} line="bottom" className={styles.input}>
        <Search size={15} strokeWidth={1.6} aria-hidden="true" />
        <Autocomplete.Input
          ref={input}
          aria-label="Search commands, screens and records"
          placeholder="Search commands, screens and records"
          spellCheck={false}
          autoComplete="off"
          maxLength={1_000}
          onKeyDown={onKeyDown}
        />
        {openScreen && <Tag className={styles.place}>{openScreen}</Tag>}
        <DialogClose>
          <Button bare small className={styles.escape}>
            <kbd>Esc</kbd>
            <span className="unseen">Close</span>
          </Button>
        </DialogClose>
      </Row>
      {refused !== null && (
        <NoticeLine role="alert">
          <b>The command failed.</b> <Text className="wrap">{refused}</Text>
        </NoticeLine>
      )}
      <div className={styles.results}>
        <Autocomplete.Empty className={styles.noResults}>
          {text.trim() !== '' && (isSearching ? 'Searching…' : 'No results.')}
        </Autocomplete.Empty>
        <Autocomplete.List aria-label="Commands and records">
          {(group: CommandGroup) => (
            <Autocomplete.Group key={group.title} items={group.items as Command[]}>
              <Autocomplete.GroupLabel className="meta">{group.title}</Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(command: Command) => (
                  <Autocomplete.Item
                    key={command.id}
                    value={command}
                    className={styles.command}
                    render={(props, { highlighted: isHighlighted }) => (
                      // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the highlighted option.
                      <div role="option" {...props} aria-selected={isHighlighted} />
                    )}
                    onClick={() => void act(command)}
                  >
                    <CommandLine command={command} />
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
        <p className={styles.noResults} role="status">
          {isSearching && groups.length > 0 && 'Searching older records…'}
        </p>
      </div>
      <Autocomplete.Status className="unseen">
        {plural(
          groups.reduce((sum, { items }) => sum + items.length, 0),
          'result',
        )}
      </Autocomplete.Status>
      <PaletteKeys onAllShortcuts={() => onDone(undefined, showShortcuts, false)} />
    </Autocomplete.Root>
  )
}

function PaletteKeys({ onAllShortcuts }: { onAllShortcuts: () => void }) {
  return (
    <Footer className={styles.footer}>
      <Row as="span" gap={6}>
        <kbd>↑</kbd>
        <kbd>↓</kbd> select
      </Row>
      <Row as="span" gap={6}>
        <kbd>Enter</kbd> run
      </Row>
      <Row as="span" gap={6}>
        <kbd>Tab</kbd> complete
      </Row>
      <Row as="span" gap={6}>
        <kbd>{MODIFIER_KEY} Enter</kbd> try it
      </Row>
      <Button className="end" bare small onClick={onAllShortcuts}>
        <kbd>?</kbd> all shortcuts
      </Button>
    </Footer>
  )
}

function CommandLine({ command: { icon: Icon, title, marks = [], detail, keys = [] } }: { command: Command }) {
  return (
    <>
      <Icon size={14} strokeWidth={1.5} aria-hidden="true" />
      <span className="cut" title={title}>
        <MarkedText text={title} marks={marks} />
      </span>
      <span className="faint" title={detail}>
        {detail !== undefined && <Text>{detail}</Text>}
      </span>
      <span className={cx('row', styles.keys)} data-tight aria-hidden="true">
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </>
  )
}

function MarkedText({ text, marks }: { text: string; marks: NonNullable<Command['marks']> }) {
  const pieces: React.ReactNode[] = []
  let at = 0
  for (const [from, to] of marks) {
    pieces.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>)
    at = to
  }
  return (
    <bdi>
      {pieces}
      {text.slice(at)}
    </bdi>
  )
}
