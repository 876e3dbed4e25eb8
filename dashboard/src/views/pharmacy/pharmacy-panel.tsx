import { useEffect, useRef } from 'preact/hooks'
import type { Pharmacy } from '../../../../src/domain/pharmacy.ts'
import { type Resource, useResource } from '../../api/resource.ts'
import type { PharmacyShown } from '../../api/shapes.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProblemShown } from '../../parts/panel.tsx'
import { showPharmacy } from '../../state/route.ts'
import { text } from '../../text/language.ts'
import { territoryName } from '../../text/territory-names.ts'
import { Timeline } from './timeline.tsx'
import { Versions } from './versions.tsx'

/** One pharmacy beside the page: its record, its events and the versions of its record. `id` is `ES-XX/external_id`. */
export function PharmacyPanel({ id }: { id: string }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [, territory = '', externalId = ''] = /^(ES-[A-Z]{2})\/(.+)$/.exec(id) ?? []
  const pharmacy = useResource<PharmacyShown>(
    `/v1/farmacias/pharmacies/${territory}/${encodeURIComponent(externalId)}`,
    { once: true },
  )
  // The dialog element keeps the focus inside, and Escape closes it.
  useEffect(() => dialog.current?.showModal(), [])
  const close = () => showPharmacy(undefined)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the panel closes it, as Escape does
    <dialog
      ref={dialog}
      class="drawer"
      aria-labelledby="pharmacy-name"
      onClose={close}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <div class="drawer-body">
        <header class="drawer-head">
          <div>
            <h2 id="pharmacy-name">{nameOf(pharmacy.data) ?? text.value.pharmacy}</h2>
            <p class="muted">
              {territoryName(territory)} · {externalId}
            </p>
          </div>
          <button type="button" class="button is-icon" onClick={() => dialog.current?.close()}>
            <Icon name="close" />
            <span class="visually-hidden">{text.value.close}</span>
          </button>
        </header>
        <Content pharmacy={pharmacy} />
      </div>
    </dialog>
  )
}

function Content({ pharmacy }: { pharmacy: Resource<PharmacyShown> }) {
  const { data, problem, reload } = pharmacy
  if (problem) return <ProblemShown problem={problem} retry={reload} />
  if (!data) return <p role="status">{text.value.loading}</p>
  return (
    <>
      <section aria-labelledby="record-now">
        <h3 id="record-now">{text.value.record_now}</h3>
        {data.record ? <Record record={data.record} /> : <p>{text.value.record_gone}</p>}
      </section>
      <Timeline events={data.events} />
      <Versions versions={data.versions} />
    </>
  )
}

function Record({ record }: { record: Pharmacy }) {
  const { latitude, longitude } = record
  const facts = {
    is_active: record.is_active ? text.value.record_active : text.value.record_inactive,
    owner_name: record.owner_name,
    address_line: record.address_line,
    postal_code: record.postal_code,
    city: record.city,
    province: record.province,
    latitude: latitude === null ? null : String(latitude),
    longitude: longitude === null ? null : String(longitude),
    cnn_code: record.cnn_code,
    official_source_name: record.official_source_name,
  } as const
  const known = Object.entries(facts).filter(([, value]) => value !== null)
  return (
    <dl class="facts">
      {known.map(([field, value]) => (
        <div key={field}>
          <dt>{text.value[`field_${field as keyof typeof facts}`]}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function nameOf(data: PharmacyShown | undefined): string | null | undefined {
  return data?.record?.name ?? data?.versions[0]?.record.name
}
