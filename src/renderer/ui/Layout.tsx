import { cx } from './cx.ts'
import styles from './Layout.module.css'

/** The boxes that every screen is laid out with. */

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

/** The bar at the top of a screen: title, search, filters; actions at the right. */
export const ScreenBar = box(styles.bar, 'div', { 'data-screen-bar': '' })
/** Columns beside each other that scroll by themselves. */
export const Split = box(styles.split, 'div')
/** A narrow column of a split, at its left; with `data-right` at its right. */
export const Sidebar = box(styles.sidebar, 'section')
/** The wide column of a split. */
export const Pane = box(styles.pane, 'section', { 'data-pane': '' })
/** The column at the right that shows what is selected. */
export const DetailPane = box(styles.detail, 'section')
/** The title and the controls at the top of a pane. */
export const PaneIntro = box(styles.intro, 'div')
/** Of a form in its place. */
export const introClass = styles.intro
/** Two columns with a line between them. */
export const Columns = box(styles.columns, 'div')
/** A heading or a remark on a line of 32 px. */
export const Caption = box(styles.caption, 'div')
/** Buttons that act on what is above them. */
export const Actions = box(styles.actions, 'div')
/** How far something is, or how it ended, beside the buttons that control it. */
export const RunStatus = box(styles.status, 'span', { 'data-run-status': '' })
/** A table with its footer. */
export const TableArea = box(styles.table, 'div')
/** The line at the bottom: counts, keys, paging. */
export const Footer = box(cx(styles.footer, 'tabular-all'), 'div', { 'data-footer': '' })
/** Names at the left, fields at the right. */
export const FormGrid = box(styles.form, 'div')
