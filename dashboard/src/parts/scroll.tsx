import type { ComponentChildren } from 'preact'

/** What may be wider or longer than its place: reached and scrolled by keyboard too. */
export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // A group and no section: the panel around it is the landmark, and has the same name.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form
    <div
      class="scroll"
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {children}
    </div>
  )
}
