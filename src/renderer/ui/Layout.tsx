import { cx } from './cx.ts'
import styles from './Layout.module.css'

/** The layout boxes of the screens. */

interface BoxProps extends React.HTMLAttributes<HTMLElement> {
  readonly as?: 'div' | 'section' | 'aside' | 'header' | 'p' | 'span' | undefined
  readonly ref?: React.Ref<HTMLElement> | undefined
}

const box = (
  name: string | undefined,
  tag: NonNullable<BoxProps['as']>,
  fixed: { readonly [data: string]: string } = {},
) =>
  function Box({ as: Tag = tag, className, ref, ...rest }: BoxProps) {
    return <Tag ref={ref as React.Ref<never>} className={cx(name, className)} {...fixed} {...rest} />
  }

/** The bar at the top of a screen: title, search, filters; actions on the right. */
export const ScreenBar = box(styles.bar, 'div', { 'data-screen-bar': '' })
/** Columns side by side that scroll independently. */
export const Split = box(styles.split, 'div')
/** The narrow left column of a split; with `data-right` the right one. */
export const Sidebar = box(styles.sidebar, 'section')
/** The wide column of a split. */
export const Pane = box(styles.pane, 'section', { 'data-pane': '' })
/** The right column with the details of the selection. */
export const DetailPane = box(styles.detail, 'section')
/** The title and the controls at the top of a pane. */
export const PaneIntro = box(styles.intro, 'div')
/** The same style for a form. */
export const introClass = styles.intro
/** Two columns, separated by a line. */
export const Columns = box(styles.columns, 'div')
/** A heading or note on a line of 32 px. */
export const Caption = box(styles.caption, 'div')
/** Buttons for the content above them. */
export const Actions = box(styles.actions, 'div')
/** Progress or result, next to the buttons that control it. */
export const RunStatus = box(styles.status, 'span', { 'data-run-status': '' })
/** A table with its footer. */
export const TableArea = box(styles.table, 'div')
/** The line at the bottom: counts, keys, paging. */
export const Footer = box(styles.footer, 'div', { 'data-footer': '' })
/** Labels on the left, fields on the right. */
export const FormGrid = box(styles.form, 'div')
