import { cx } from '../../ui/cx.ts'
import styles from './RecordList.module.css'

interface RecordListProps extends React.ComponentProps<'section'> {
  /** Name, status and amount in columns. */
  readonly figures?: boolean
}

/** A titled list of records below the form. */
export const RecordList = ({ figures = false, className, ...section }: RecordListProps) => (
  <section className={cx(styles.list, className)} data-figures={figures ? '' : undefined} {...section} />
)
