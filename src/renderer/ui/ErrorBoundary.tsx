import { Component } from 'react'
import { Button } from './Button.tsx'
import { Notice } from './Notice.tsx'

interface ErrorBoundaryProps {
  /** The name of the part, e.g. "Payments". */
  readonly what: string
  readonly children: React.ReactNode
}

/** Shows an error in the place of a part that failed, so that the rest of the window keeps working. */
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
        Its code could not be loaded, or it failed. Nothing in the sandbox has changed.{' '}
        <Button small onClick={() => location.reload()}>
          Reload the window
        </Button>
      </Notice>
    )
  }
}
