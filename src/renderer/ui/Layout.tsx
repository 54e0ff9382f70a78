import { Column, Row, Stack } from './Box.tsx'
import { cx } from './cx.ts'
import styles from './Layout.module.css'

/** The boxes that most screens have. */

type Fixed = React.ComponentProps<typeof Row> &
  React.ComponentProps<typeof Stack> & { readonly [data: `data-${string}`]: string }

const box = (Base: (props: Fixed) => React.ReactNode, name: string | undefined, fixed: Fixed) =>
  function Box({ className, ...rest }: React.ComponentProps<typeof Row>) {
    return <Base {...fixed} className={cx(name, className)} {...rest} />
  }

/** The bar at the top of a screen: title, search, filters; actions on the right. */
export const ScreenBar = box(Row, styles.bar, {
  gap: 8,
  pad: '0 16',
  least: 40,
  line: 'bottom',
  'data-screen-bar': '',
})
/** Columns side by side that scroll independently. */
export const Split = box(Row, styles.split, { align: 'stretch', grow: true })
/** The narrow left column of a split; with `data-right` the right one. */
export const Sidebar = box(Column, styles.sidebar, { as: 'section' })
/** The wide column of a split. */
export const Pane = box(Column, styles.pane, { as: 'section', grow: true, scroll: true, 'data-pane': '' })
/** The right column with the details of the selection. */
export const DetailPane = box(Column, styles.detail, { as: 'section', fill: 'paper', scroll: true })
/** Panes beside each other that scroll independently. Where they would be too narrow they stand below each other. */
export const Panes = ({ className, ...panes }: React.ComponentProps<typeof Stack>) => (
  <Stack grow className={cx(styles.panes, className)} {...panes} />
)
/** The title and the controls at the top of a pane. */
export const PaneIntro = box(Stack, styles.intro, { gap: 8, pad: '12 16 8' })
/** Two columns, separated by a line. */
export const Columns = box(Stack, styles.columns, {
  columns: 'minmax(0, 5fr) minmax(0, 6fr)',
  narrows: true,
  line: 'bottom',
})
/** A heading or note on a line of 32 px. */
export const Caption = box(Row, styles.caption, { gap: 8, pad: '0 16' })
/** Buttons for the content above them. */
export const Actions = box(Row, undefined, { wraps: true, gap: 4, pad: '4 16 10', line: 'bottom', align: 'stretch' })
/** Progress or result, next to the buttons that control it. */
export const RunStatus = box(Row, styles.status, {
  as: 'span',
  wraps: true,
  gap: '4 12',
  least: 24,
  'data-run-status': '',
})
/** A table with its footer. */
export const TableArea = box(Column, undefined, { grow: true })
/** The line at the bottom: counts, keys, paging. */
export const Footer = box(Row, styles.footer, {
  gap: 12,
  pad: '0 16',
  least: 28,
  line: 'top',
  text: 'meta',
  tone: 'faint',
  'data-footer': '',
})
/** Labels on the left, fields on the right. */
export const FormGrid = box(Stack, styles.form, {
  columns: 'var(--labels, 88px) minmax(0, 1fr)',
  gap: 8,
  align: 'center',
  text: 'data',
})
