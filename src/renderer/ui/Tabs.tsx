import { Tabs as Base } from '@base-ui/react/tabs'
import { cx } from './cx.ts'
import styles from './Tabs.module.css'

export const Tabs = Base.Root
export const TabPanel = Base.Panel

interface TabBarProps {
  readonly label: string
  readonly tabs: readonly { readonly value: string; readonly label: React.ReactNode }[]
  readonly className?: string | undefined
  /** Shown right of the tabs. */
  readonly children?: React.ReactNode
}

export function TabBar({ label, tabs, className, children }: TabBarProps) {
  return (
    <div className={cx(styles.bar, className)}>
      <Base.List aria-label={label} className={styles.list}>
        {tabs.map(({ value, label: text }) => (
          <Base.Tab key={value} value={value} className={styles.tab}>
            {text}
          </Base.Tab>
        ))}
      </Base.List>
      {children}
    </div>
  )
}

interface TabPanesProps<T extends string> extends Pick<TabBarProps, 'label' | 'className' | 'children'> {
  readonly value: T
  readonly onChange: (value: T) => void
  readonly panes: readonly { readonly value: T; readonly label: React.ReactNode; readonly content: React.ReactNode }[]
}

/** Tabs that take the space that is left. Their contents scroll. */
export function TabPanes<T extends string>({ value, onChange, panes, ...bar }: TabPanesProps<T>) {
  return (
    <Tabs className={styles.panes} value={value} onValueChange={onChange}>
      <TabBar tabs={panes} {...bar} />
      {panes.map((pane) => (
        <TabPanel key={pane.value} value={pane.value} className={styles.panes} tabIndex={-1}>
          {pane.content}
        </TabPanel>
      ))}
    </Tabs>
  )
}
