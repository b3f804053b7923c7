import { Fragment } from 'react'
import { overlapOf, scheduledHours } from '#contract/cloud/services/serviceSchedule.ts'
import { weekdayNames, type EntryForm } from './scheduleForm.ts'
import * as css from '../services.module.css'

const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** A picture of the week: each hour has the colour of the entry in force. */
export function WeekGrid({ entries }: { entries: readonly EntryForm[] }) {
  const times = entries.map(({ weekdays, start, end }) => ({
    weekdays,
    startHourUtc: Number(start),
    endHourUtc: Number(end),
  }))
  const owners = new Map<number, number[]>()
  for (const [at, entry] of times.entries()) {
    for (const hour of scheduledHours(entry)) owners.set(hour, [...(owners.get(hour) ?? []), at])
  }
  const label = `The week in UTC: ${entries.length} entries${overlapOf(times) ? ', some overlap' : ''}`
  return (
    <div className={css.scheduleScroller}>
      <div role="img" aria-label={label} className={css.week}>
        <span />
        {hours.map((hour) => (
          <span key={hour} className={css.hour}>
            {hour % 6 === 0 ? hour : ''}
          </span>
        ))}
        {weekdayNames.map((name, day) => (
          <Fragment key={name}>
            <span className={css.day}>{name}</span>
            {hours.map((hour) => {
              const owner = owners.get(day * 24 + hour) ?? []
              const entry = owner[0] === undefined ? undefined : entries[owner[0]]
              return (
                <span
                  key={hour}
                  className={css.scheduleCell}
                  data-entry={owner.length > 1 ? 'overlap' : owner[0] === undefined ? undefined : owner[0] % 4}
                  {...(entry && { title: `${name} ${hour}:00 ${entry.name}` })}
                />
              )
            })}
          </Fragment>
        ))}
      </div>
    </div>
  )
}
