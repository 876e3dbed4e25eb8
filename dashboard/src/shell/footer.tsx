import { fill } from '../text/fill.ts'
import { TIME_ZONE } from '../text/format.ts'
import { text } from '../text/language.ts'

export function Footer() {
  return (
    <footer class="bottom">
      <p>{fill(text.value.footer_times, { zone: TIME_ZONE })}</p>
      <p>{text.value.footer_boundaries}</p>
      <p>
        <a href="/openapi.json">{text.value.footer_api}</a>
      </p>
    </footer>
  )
}
