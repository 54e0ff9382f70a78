import { Search } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { focusWaitingScreen } from '../../components/focus.ts'
import { collections } from '../../data/collections.ts'
import { closePalette, usePalette } from '../../data/palette.ts'
import { useRoute } from '../../data/route.ts'
import { screenList } from '../../data/screen-list.ts'
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

interface PaletteProps {
  readonly showKeys: () => void
  readonly said: (text: string) => void
}

/** Everything that can be done and everywhere one can go, by a few letters. */
export function Palette({ showKeys, said }: PaletteProps) {
  const open = usePalette((state) => state.open)
  /** What is to be done when it has closed; the focus then goes along, and not back to where it was. */
  const after = useRef<(() => void) | null>(null)
  const leaves = useRef(false)
  useEffect(() => {
    if (open) leaves.current = false
  }, [open])
  return (
    <DialogShell
      open={open}
      onOpenChange={(to) => !to && closePalette()}
      onOpenChangeComplete={(is) => {
        if (is) return
        focusWaitingScreen()
        after.current?.()
        after.current = null
      }}
      label="Command palette"
      className={styles.palette}
      backdropClassName={styles.backdrop}
      finalFocus={() => !leaves.current}
    >
      <PaletteBody
        showKeys={showKeys}
        onDone={(told, afterwards, travels) => {
          if (told) said(told)
          after.current = afterwards ?? null
          leaves.current = travels || afterwards !== undefined
          closePalette()
        }}
      />
    </DialogShell>
  )
}

function PaletteBody(props: PaletteTextProps) {
  const { showKeys, onDone } = props
  const { text, write, input, groups, looking, highlighted, refused, previewed, act, onKeyDown } = usePaletteText(props)
  const place = useRoute(({ screen, collection }) =>
    screen === 'record' ? (collection ? collections[collection].one : 'Record') : screen && screenList[screen].name,
  )
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      filter={null}
      value={text}
      onValueChange={(to, { reason }) => reason !== 'item-press' && write(to)}
      itemToStringValue={(command: Command) => command.title}
      autoHighlight="always"
      keepHighlight
      onItemHighlighted={(command) => void (highlighted.current = command)}
    >
      <div className={styles.input}>
        <Search size={15} strokeWidth={1.6} aria-hidden="true" />
        <Autocomplete.Input
          ref={input}
          aria-label="What to do, where to go, what to find"
          placeholder="What to do, where to go, what to find"
          spellCheck={false}
          autoComplete="off"
          maxLength={1_000}
          onKeyDown={onKeyDown}
        />
        {place && <Tag className={styles.place}>{place}</Tag>}
        <DialogClose>
          <Button bare small className={styles.escape}>
            <kbd>Esc</kbd>
            <span className="unseen">closes</span>
          </Button>
        </DialogClose>
      </div>
      {refused !== null && (
        <NoticeLine role="alert">
          <b>That was refused.</b> <Text className="wrap">{refused}</Text>
        </NoticeLine>
      )}
      {previewed && <CommandPreview command={previewed} />}
      <div className={styles.results} hidden={previewed !== null}>
        <Autocomplete.Empty className={styles.noResults}>
          {text.trim() !== '' && (looking ? 'Looking for it…' : 'Nothing fits.')}
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
                    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names the option that is meant.
                    render={(props, { highlighted: is }) => <div role="option" {...props} aria-selected={is} />}
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
      <PaletteKeys previewed={previewed !== null} onAllKeys={() => onDone(undefined, showKeys, false)} />
    </Autocomplete.Root>
  )
}

function PaletteKeys({ previewed, onAllKeys }: { previewed: boolean; onAllKeys: () => void }) {
  return (
    <Footer className={styles.footer}>
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd> choose
      </span>
      <span>
        <kbd>Enter</kbd> do it
      </span>
      <span>
        <kbd>Tab</kbd> fill in
      </span>
      <span>
        <kbd>{MODIFIER_KEY} Enter</kbd> {previewed ? 'shown' : 'show first what would run'}
      </span>
      <Button className="end" bare small onClick={onAllKeys}>
        <kbd>?</kbd> all keys
      </Button>
    </Footer>
  )
}
