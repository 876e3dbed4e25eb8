import type { EventType } from '../../../../src/domain/event.ts'
import { useResource } from '../../api/resource.ts'
import type { Summary } from '../../api/shapes.ts'
import { Select } from '../../parts/choice.tsx'
import { EVENT_TYPES } from '../../parts/event-types.ts'
import { FilterBar } from '../../parts/filters.tsx'
import { provinceOptions } from '../../parts/province-options.ts'
import { pathOf, useFilters } from '../../state/registry.ts'
import { route, setParams } from '../../state/route.ts'
import { intervalFor, windowBefore } from '../../state/span.ts'
import { TIME_ZONE } from '../../text/format.ts'
import { text } from '../../text/language.ts'
import { Counters } from './counters.tsx'
import { OverTime } from './over-time.tsx'
import { ProvinceMap } from './province-map.tsx'
import { TerritoryRanking } from './territory-ranking.tsx'

const SUMMARY = '/v1/farmacias/business-events/summary'
const INTERVALS = ['day', 'week', 'month'] as const

/** What happened in the window, in figures, over time and on the map. */
export function OverviewView() {
  const { params } = route.value
  const { span, territories, baseline, asked } = useFilters()
  const province = params.province ?? ''
  const shown = shownTypes(params.types)
  const interval =
    INTERVALS.find((name) => name === params.interval) ?? intervalFor(span, baseline, Date.now())

  const where = asked && { ...asked, province }
  const counted = where && { ...where, event_types: apiTypes(shown) }
  const events = useResource<Summary<EventType>>(
    pathOf(SUMMARY, where && { ...where, interval, time_zone: TIME_ZONE }),
  )
  const before = useBefore(events.data, { asked: where, baseline })
  const byProvince = useResource<Summary>(
    pathOf(SUMMARY, counted && { ...counted, group_by: 'province' }),
  )
  const byTerritory = useResource<Summary<string>>(
    pathOf(SUMMARY, counted && { ...counted, group_by: 'territory' }),
  )

  return (
    <>
      <FilterBar span={span} territories={territories}>
        <Select
          label={text.value.province}
          value={province}
          options={[
            { value: '', label: text.value.all_provinces },
            ...provinceOptions(territories),
          ]}
          onChange={(chosen) => setParams({ province: chosen })}
        />
      </FilterBar>
      <Counters resource={events} before={before} shown={shown} />
      <div class="grid">
        <OverTime resource={events} shown={shown} interval={interval} />
        <TerritoryRanking resource={byTerritory} />
        <ProvinceMap resource={byProvince} chosen={province} />
      </div>
    </>
  )
}

/** The same count of the window before; asked for anew only when the window's own answer changes. */
function useBefore(
  events: Summary<EventType> | undefined,
  { asked, baseline }: { asked: Record<string, string> | null; baseline: string | null },
): Summary<EventType> | null | undefined {
  const window = events && windowBefore(events, baseline)
  const { days: _days, ...where } = asked ?? {}
  const { data } = useResource<Summary<EventType>>(
    window ? pathOf(SUMMARY, { ...where, ...window }) : null,
  )
  return window === null ? null : data
}

function shownTypes(types: string | undefined): EventType[] {
  const named = types?.split(',') ?? []
  const known = EVENT_TYPES.filter((type) => named.includes(type))
  return known.length === 0 ? [...EVENT_TYPES] : known
}

/** All kinds are the API's own default. */
function apiTypes(shown: readonly EventType[]): string {
  return shown.length === EVENT_TYPES.length ? '' : shown.join(',')
}
