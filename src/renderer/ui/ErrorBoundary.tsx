import { Component } from 'react'
import { Button } from './Button.tsx'
import { Notice } from './Notice.tsx'

interface ErrorBoundaryProps {
  /** What cannot be shown, as in "Payments". */
  readonly what: string
  readonly children: React.ReactNode
}

/** A fault of one part stays in its place: what failed, and the ways on. The rest of the window goes on. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    const { what, children } = this.props
    if (!this.state.failed) return children
    return (
      <Notice title={`${what} cannot be shown.`}>
        Either its code could not be fetched, or it met with something that it does not know. Nothing in the sandbox has
        changed.{' '}
        <Button small onClick={() => location.reload()}>
          Load the window again
        </Button>
      </Notice>
    )
  }
}
