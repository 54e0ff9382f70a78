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
