import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { Minus, Plus } from 'lucide-react'
import type { Language } from '#console/telemetry/conditions.ts'
import { filterText, type ValueFilter } from '#console/telemetry/search/filters.ts'
import { CopyButton } from '#console/ui/actions/CopyButton.tsx'
import type { SearchRow } from '#contract/search.ts'
import { valueText } from './columns.ts'

interface AttributeTreeProps {
  row: SearchRow
  language: Language
  onFilter: (filter: ValueFilter) => void
}

interface Attribute {
  name: string
  expression: string
  value: string
}

/** The columns of a row, and the keys of its maps below them. Empty columns are left out. */
export function AttributeTree({ row, language, onFilter }: AttributeTreeProps) {
  const plain: Attribute[] = []
  const groups: { name: string; attributes: Attribute[] }[] = []
  for (const [name, value] of Object.entries(row)) {
    if (isMap(value)) {
      const attributes = Object.entries(value).map(([key, one]) => ({
        name: key,
        expression: `${name}['${key.replaceAll(/[\\']/g, '\\$&')}']`,
        value: valueText(one),
      }))
      if (attributes.length > 0) groups.push({ name, attributes })
    } else if (!isEmpty(value)) {
      plain.push({ name, expression: name, value: valueText(value) })
    }
  }
  return (
    <>
      {[{ name: 'Row', attributes: plain }, ...groups].map(({ name, attributes }) => (
        <Box key={name} sx={{ mb: 3 }}>
          <Typography component="h3" sx={{ fontWeight: 600, mb: 0.5 }}>
            {name}{' '}
            <Box component="span" sx={{ color: 'text.secondary', fontWeight: 400 }}>
              {attributes.length}
            </Box>
          </Typography>
          <Box component="dl" sx={{ m: 0 }}>
            {attributes.map((attribute) => (
              <AttributeRow key={attribute.name} attribute={attribute} language={language} onFilter={onFilter} />
            ))}
          </Box>
        </Box>
      ))}
    </>
  )
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isEmpty = (value: unknown) => value === '' || value === null || (Array.isArray(value) && value.length === 0)

interface AttributeRowProps {
  attribute: Attribute
  language: Language
  onFilter: (filter: ValueFilter) => void
}

function AttributeRow({ attribute: { name, expression, value }, language, onFilter }: AttributeRowProps) {
  const filterable = filterText({ expression, value, mode: 'in' }, language) !== null
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: 'minmax(90px, 38%) minmax(0, 1fr)',
        position: 'relative',
        gap: 2,
        alignItems: 'start',
        minHeight: 26,
        '& .tools': { opacity: 0 },
        '&:hover .tools, &:focus-within .tools': { opacity: 1 },
        '@media (hover: none)': { '& .tools': { opacity: 1 } },
      }}
    >
      <Box component="dt" sx={{ color: 'text.secondary', overflowWrap: 'anywhere', py: 0.5 }}>
        {name}
      </Box>
      <Box component="dd" sx={{ m: 0, fontFamily: 'var(--mono)', fontSize: 12, overflowWrap: 'anywhere', py: 0.5 }}>
        {value}
      </Box>
      <Box
        component="dd"
        className="tools"
        sx={{ m: 0, display: 'flex', position: 'absolute', top: 0, right: 0, bgcolor: 'background.paper' }}
      >
        {filterable && (
          <>
            <IconButton
              aria-label={`Filter by ${name}`}
              onClick={() => onFilter({ expression, value, mode: 'in' })}
              sx={{ p: 0.75 }}
            >
              <Plus size={12} aria-hidden />
            </IconButton>
            <IconButton
              aria-label={`Exclude ${name}`}
              onClick={() => onFilter({ expression, value, mode: 'out' })}
              sx={{ p: 0.75 }}
            >
              <Minus size={12} aria-hidden />
            </IconButton>
          </>
        )}
        <CopyButton text={value} label={`Copy ${name}`} compact />
      </Box>
    </Box>
  )
}
