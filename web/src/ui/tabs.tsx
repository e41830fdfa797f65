type Props<Tab extends string> = {
  label: string
  tabs: readonly Tab[]
  chosen: Tab
  onChoose(tab: NoInfer<Tab>): void
  nameOf(tab: NoInfer<Tab>): string
  /** The ID of the panel they control. */
  controls: string
}

/** Selects one of a few lists. */
export const Tabs = <Tab extends string>({ label, tabs, chosen, onChoose, nameOf, controls }: Props<Tab>) => (
  <div role="tablist" aria-label={label} className="scroll-thin -mx-4 -mt-1 flex gap-2 overflow-x-auto px-4 py-1">
    {tabs.map(tab => (
      <button
        key={tab}
        type="button"
        role="tab"
        aria-selected={chosen === tab}
        aria-controls={controls}
        onClick={() => onChoose(tab)}
        className="touch h-9 rounded-full border border-line bg-card px-4 text-sm font-medium whitespace-nowrap text-soft transition aria-selected:border-transparent aria-selected:bg-glow aria-selected:text-on-glow"
      >
        {nameOf(tab)}
      </button>
    ))}
  </div>
)
