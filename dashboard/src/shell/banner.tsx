import { useEffect, useState } from 'preact/hooks'
import { health } from '../api/client.ts'
import { beat } from '../api/pulse.ts'
import { Icon } from '../parts/icon.tsx'
import { fill } from '../text/fill.ts'
import { formatTime } from '../text/format.ts'
import { text } from '../text/language.ts'

/** Says for the whole page that the API is away, or that the key must wait. */
export function Banner() {
  const { awaySince, limitedUntil } = health.value
  if (limitedUntil !== null) return <Limited until={limitedUntil} />
  if (awaySince === null) return null
  return (
    <div class="banner is-bad" role="alert">
      <Icon name="warning" />
      <p>{awaySentence()}</p>
      <button type="button" class="button" onClick={beat}>
        {text.value.retry}
      </button>
    </div>
  )
}

function awaySentence(): string {
  const { lastAnswerAt } = health.value
  if (lastAnswerAt === null) return text.value.banner_away_nothing
  return fill(text.value.banner_away, { time: formatTime(lastAnswerAt) })
}

function Limited({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  return (
    <div class="banner is-waiting" role="status">
      <Icon name="warning" />
      <p>{fill(text.value.banner_limited, { seconds })}</p>
    </div>
  )
}
