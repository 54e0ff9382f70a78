import { type BoxProps, Row } from '../../ui/Layout.tsx'
import styles from './Line.module.css'

/** Below a list: all about what is selected, and its buttons. */
export const Detail = (box: BoxProps) => (
  <Row as="section" wraps gap="4 12" pad="6 16" fill="well" text="data" className={styles.detail} {...box} />
)
