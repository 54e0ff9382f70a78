import { useEffect, useId, useRef } from 'react'
import { cx } from './cx.ts'
import styles from './PickList.module.css'

export interface PickGroup<T> {
  readonly title: string
  readonly items: readonly T[]
}

interface PickListProps<T> {
  readonly label: string
  readonly groups: readonly PickGroup<T>[]
  readonly idOf: (item: T) => string
  readonly selected: string | null
  readonly onSelect: (item: T) => void
  /** Enter on the selected item. */
  readonly onOpen?: () => void
  readonly renderItem: (item: T) => React.ReactNode
  readonly className?: string | undefined
}

/** A list of items with free layout. One tab stop; arrow keys move the selection. */
export function PickList<T>({
  label,
  groups,
  idOf,
  selected,
  onSelect,
  onOpen,
  renderItem: draw,
  className,
}: PickListProps<T>) {
  const prefix = useId()
  const box = useRef<HTMLDivElement>(null)
  const all = groups.flatMap(({ items }) => items)
  const at = all.findIndex((item) => idOf(item) === selected)
  useEffect(() => {
    if (selected !== null) document.getElementById(prefix + selected)?.scrollIntoView?.({ block: 'nearest' })
  }, [prefix, selected])
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || all.length === 0) return
    if (event.key === 'Enter' && at >= 0) {
      event.preventDefault()
      return onOpen?.()
    }
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    onSelect(all[Math.max(0, Math.min(all.length - 1, to))]!)
  }
  return (
    <div
      ref={box}
      className={cx(styles.list, className)}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={at >= 0 ? prefix + selected : undefined}
      onKeyDown={onKeyDown}
    >
      {groups.map(({ title, items }, i) => (
        // biome-ignore lint/a11y/useSemanticElements: the options of a listbox are grouped by a role.
        <div key={title} role="group" aria-labelledby={`${prefix}title${i}`}>
          <div id={`${prefix}title${i}`} className={styles.group}>
            {title}
          </div>
          {items.map((item) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and the keys.
            // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and the keys.
            <div
              key={idOf(item)}
              id={prefix + idOf(item)}
              role="option"
              className={styles.option}
              aria-selected={idOf(item) === selected}
              onClick={() => onSelect(item)}
            >
              {draw(item)}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
