import { Component, type ReactNode } from 'react'

type Props = {
  children: ReactNode
  instead?: ReactNode
  /** The name of the content: other content is tried again. */
  of?: string
}

/** An error boundary: a row or a page that cannot be shown leaves everything around it intact. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError = () => ({ failed: true })

  override componentDidUpdate(before: Props) {
    if (this.state.failed && before.of !== this.props.of) this.setState({ failed: false })
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children
  }
}
