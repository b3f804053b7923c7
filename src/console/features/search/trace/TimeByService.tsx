import { Text } from '#console/ui/base/Text.tsx'
import { timeByService, type Trace } from '#domain/traces/trace.ts'
import { formatNanoseconds, formatShort } from '#domain/charts/units.ts'
import css from './TimeByService.module.css'
import type { ReadSpan } from './useTrace.ts'

interface TimeByServiceProps {
  trace: Trace<ReadSpan>
  colors: ReadonlyMap<string, string>
}

/** The critical path by service. */
export function TimeByService({ trace, colors }: TimeByServiceProps) {
  const shares = timeByService(trace)
  return (
    <section aria-label="Where the time went" className={css.times}>
      <Text variant="h2">
        Where the time went <span className={css.detail}>critical path by service</span>
      </Text>
      <div className={css.shares} aria-hidden>
        {shares.map(({ service, share }) => (
          <span key={service} style={{ width: `${share * 100}%`, background: colors.get(service) }} />
        ))}
      </div>
      <ul className={css.services}>
        {shares.map(({ service, time, share }) => (
          <li key={service}>
            <span className={css.swatch} style={{ background: colors.get(service) }} />
            {service || '(none)'}{' '}
            <span className={css.share}>
              {formatShort(share * 100, 'percent')} · {formatNanoseconds(String(time))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
