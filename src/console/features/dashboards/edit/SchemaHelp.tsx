import { displayTypes } from '#contract/stack/dashboards/dashboards.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import { type SchemaField, schemaFields } from './schemaFields.ts'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from '../dashboards.module.css'

/** The known fields of a tile of this type; the known types while it has none of them. */
export function SchemaHelp({ config }: { config: TileConfig | undefined }) {
  const fields = schemaFields(config)
  return (
    <section aria-label="Known fields">
      <Text variant="caption" color="textSecondary" component="p">
        {fields === null
          ? `Known types (displayType): ${displayTypes.join(', ')}. Other types are sent unchanged.`
          : 'Known fields of this type; * is required. Other fields are sent unchanged.'}
      </Text>
      {fields && (
        <dl className={css.schemaFields}>
          {fields.map((field) => (
            <Field key={field.name} {...field} />
          ))}
        </dl>
      )}
    </section>
  )
}

function Field({ name, required, takes }: SchemaField) {
  return (
    <>
      <dt className={css.schemaHelpField}>
        {name}
        {required && '*'}
      </dt>
      <dd className={css.schemaHelpDescription}>{takes}</dd>
    </>
  )
}
