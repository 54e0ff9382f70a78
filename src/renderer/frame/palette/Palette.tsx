import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { collections } from '../../data/collections.ts'
import { focusWaitingScreen } from '../../data/focus.ts'
import { announce } from '../../data/messages.ts'
import { closePalette, usePalette } from '../../data/palette.ts'
import { useRoute } from '../../data/route.ts'
import { screenList } from '../../data/screen-list.ts'
import { showShortcuts } from '../../data/shortcuts-shown.ts'
import { plural } from '../../format/numbers.ts'
import { Autocomplete } from '../../ui/Autocomplete.tsx'
import { Button } from '../../ui/Button.tsx'
import { Tag } from '../../ui/Chip.tsx'
import { DialogClose, DialogShell } from '../../ui/Dialog.tsx'
import { Footer } from '../../ui/Layout.tsx'
import { MODIFIER_KEY } from '../../ui/modifier-key.ts'
import { NoticeLine } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { CommandLine } from './CommandLine.tsx'
import { CommandPreview } from './CommandPreview.tsx'
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
  const { text, write, input, groups, isSearching, highlighted, refused, previewed, act, onKeyDown } =
    usePaletteText(props)
  const openScreen = useRoute(({ screen, collection }) =>
    screen === 'record' ? (collection ? collections[collection].one : 'Record') : screen && screenList[screen].name,
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
      <div className={styles.input}>
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
      </div>
      {refused !== null && (
        <NoticeLine role="alert">
          <b>The command failed.</b> <Text className="wrap">{refused}</Text>
        </NoticeLine>
      )}
      {previewed && <CommandPreview command={previewed} />}
      <div className={styles.results} hidden={previewed !== null}>
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
      </div>
      <Autocomplete.Status className="unseen">
        {plural(
          groups.reduce((sum, { items }) => sum + items.length, 0),
          'result',
        )}
      </Autocomplete.Status>
      <PaletteKeys isPreviewed={previewed !== null} onAllShortcuts={() => onDone(undefined, showShortcuts, false)} />
    </Autocomplete.Root>
  )
}

function PaletteKeys({ isPreviewed, onAllShortcuts }: { isPreviewed: boolean; onAllShortcuts: () => void }) {
  return (
    <Footer className={styles.footer}>
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd> select
      </span>
      <span>
        <kbd>Enter</kbd> run
      </span>
      <span>
        <kbd>Tab</kbd> complete
      </span>
      <span>
        <kbd>{MODIFIER_KEY} Enter</kbd> {isPreviewed ? 'shown' : 'preview'}
      </span>
      <Button className="end" bare small onClick={onAllShortcuts}>
        <kbd>?</kbd> all shortcuts
      </Button>
    </Footer>
  )
}
