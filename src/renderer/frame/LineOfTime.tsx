import { lazy, Suspense } from 'react'
import { FOLDED_PX, resizeLine, UNFOLDED_PX, useLine } from '../data/line.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { Splitter } from '../ui/Layout.tsx'
import styles from './LineOfTime.module.css'

const Line = lazy(async () => ({ default: (await import('./line/Line.tsx')).Line }))

/** The line of time under the clock, on every screen. Its place is there at once; its code is loaded after the first paint. */
export function LineOfTime() {
  const height = useLine((line) => line.height)
  return (
    <div className={styles.place}>
      <section className={styles.line} style={{ height }} aria-label="Line of time" data-line data-takes-no-focus>
        <ErrorBoundary what="The line of time">
          <Suspense fallback={null}>
            <Line />
          </Suspense>
        </ErrorBoundary>
      </section>
      <Splitter
        label="Height of the line of time"
        sizes="before"
        stacked
        min={FOLDED_PX}
        max={UNFOLDED_PX}
        onResize={resizeLine}
      />
    </div>
  )
}
