import Box from '@mui/material/Box'
import { TextLink } from './LinkButton.tsx'
import { useCrumbs } from './navigation.ts'

/** Where the page lies, each step a link but the last. */
export function Breadcrumbs() {
  const crumbs = useCrumbs()
  return (
    <Box component="nav" aria-label="Breadcrumbs">
      <Box
        component="ol"
        sx={{ display: 'flex', gap: 1.5, m: 0, p: 0, listStyle: 'none', color: 'text.secondary', minWidth: 0 }}
      >
        {crumbs.map((crumb, at) => {
          const open = at === crumbs.length - 1
          return (
            <Box
              component="li"
              key={crumb.path}
              sx={{ display: 'flex', gap: 1.5, minWidth: 0, whiteSpace: 'nowrap', overflow: 'hidden' }}
            >
              {at > 0 && <span aria-hidden>/</span>}
              {open ? (
                <Box
                  component="span"
                  aria-current="page"
                  sx={{ color: 'text.primary', fontWeight: 550, overflow: 'hidden', textOverflow: 'ellipsis' }}
                >
                  {crumb.title}
                </Box>
              ) : (
                <TextLink to={crumb.path} color="textSecondary" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
                  {crumb.title}
                </TextLink>
              )}
            </Box>
          )
        })}
      </Box>
    </Box>
  )
}
