import * as base from '#console/ui/base/base.module.css'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { sampleIn, type Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import * as css from './newPipe.module.css'

/** The first records of a source, with the type of each field. */
export function SampleTable({ label, found: { fields, meta } }: { label: string; found: Discovery }) {
  const { preview } = sampleIn(meta)
  return (
    <ScrollRegion label={label} className={css.sample}>
      <table className={base.table}>
        <thead>
          <tr>
            {fields.map(({ name, type, optional }) => (
              <th key={name} scope="col">
                {name}
                <div className={css.sampleType}>{optional ? `${type}, optional` : type}</div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.map((row, at) => (
            // A sample does not change, and its rows have no id.
            <tr key={at}>
              {fields.map(({ name }) => (
                <td key={name} className={css.sampleValue}>
                  {formatCell(row[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
