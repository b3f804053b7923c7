import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { displayTypes } from '#contract/dashboards.ts'
import type { TileConfig } from '#console/telemetry/tileQuery.ts'
import { type SchemaField, schemaFields } from './schemaFields.ts'

/** The fields that the reference gives a configuration of this kind, or the kinds there are. */
export function SchemaHelp({ config }: { config: TileConfig | undefined }) {
  const fields = schemaFields(config)
  return (
    <Box component="section" aria-label="Known fields">
      <Typography variant="caption" color="textSecondary" component="p">
        {fields === null
          ? `Known types (displayType): ${displayTypes.join(', ')}. Other types are sent unchanged.`
          : 'Known fields of this type; * is required. Other fields are sent unchanged.'}
      </Typography>
      {fields && (
        <Box component="dl" sx={{ display: 'grid', gridTemplateColumns: 'max-content 1fr', columnGap: 3, m: 0, mt: 1 }}>
          {fields.map((field) => (
            <Field key={field.name} {...field} />
          ))}
        </Box>
      )}
    </Box>
  )
}

function Field({ name, required, takes }: SchemaField) {
  return (
    <>
      <Box component="dt" sx={{ fontFamily: 'var(--mono)', fontSize: 12 }}>
        {name}
        {required && '*'}
      </Box>
      <Box component="dd" sx={{ m: 0, fontSize: 12, color: 'text.secondary', overflowWrap: 'anywhere' }}>
        {takes}
      </Box>
    </>
  )
}
