import { Component, type ReactNode } from 'react'

type Props = {
  children: ReactNode
  instead?: ReactNode
  /** What is shown, by a name: something else is tried again. */
  of?: string
}

/** One thing that cannot be shown, such as a row or a page, leaves everything around it as it is. */
export class Intact extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError = () => ({ failed: true })

  override componentDidUpdate(before: Props) {
    if (this.state.failed && before.of !== this.props.of) this.setState({ failed: false })
  }

  override render() {
    return this.state.failed ? this.props.instead : this.props.children
  }
}
