/** The look of Sanad as a Mantine theme, light and dark: a paper background, dark text, and one accent colour. */
import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'

// The accent colour, from light to dark. The light theme uses the seventh, the dark theme the fourth.
const stamp: MantineColorsTuple = [
  '#E8F5F5',
  '#CFE8E9',
  '#A3D5D7',
  '#5CC2C7',
  '#3AA6AC',
  '#1F868D',
  '#0F5C63',
  '#0C4D53',
  '#093F44',
  '#062F33',
]

// The greys of the dark theme, from text to background; the fifth is the border of fields.
const dark: MantineColorsTuple = [
  '#E8EAED',
  '#C3C9D1',
  '#9AA4B2',
  '#6F7987',
  '#3D4653',
  '#232932',
  '#1A1E25',
  '#12151A',
  '#0E1115',
  '#0A0C0F',
]

const tints: Readonly<Record<string, string>> = {
  yellow: '--sanad-pending',
  red: '--sanad-wrong',
  green: '--sanad-verified',
  gray: '--sanad-quiet',
  stamp: '--sanad-accent',
}

/** Filled components get a text colour with enough contrast in both themes; red is our own red. */
const variants: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input)
  // Coloured text on a tint of the same colour has too little contrast: only the background is tinted, and the text has the
  // normal colour of text.
  if (input.variant === 'light') {
    const tint = tints[input.color ?? input.theme.primaryColor]
    return {
      ...resolved,
      ...(tint === undefined ? {} : { background: `color-mix(in srgb, var(${tint}) 14%, var(--sanad-card))` }),
      color: 'var(--sanad-ink)',
    }
  }
  // In the dark theme the library's red is almost white and does not look like a warning.
  if (input.variant === 'subtle' && input.color === 'red')
    return {
      ...resolved,
      hover: 'color-mix(in srgb, var(--sanad-wrong) 12%, transparent)',
      color: 'var(--sanad-wrong)',
    }
  if (input.variant !== 'filled') return resolved
  const colour = input.color ?? input.theme.primaryColor
  if (colour === input.theme.primaryColor) return { ...resolved, color: 'var(--mantine-primary-color-contrast)' }
  if (colour !== 'red') return resolved
  return {
    ...resolved,
    background: 'var(--sanad-wrong)',
    hover: 'color-mix(in srgb, var(--sanad-wrong) 88%, var(--sanad-ink))',
    color: 'var(--sanad-on-wrong)',
  }
}

/** The title of a dialog, larger than its text, with line height for long titles. */
const windowTitle = { fontSize: 16, lineHeight: '24px', fontWeight: 600 }

export const theme = createTheme({
  variantColorResolver: variants,
  primaryColor: 'stamp',
  primaryShade: { light: 6, dark: 3 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  colors: { stamp, dark },
  fontFamily: 'var(--sanad-letters)',
  fontFamilyMonospace: 'var(--sanad-figures)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '28px', lineHeight: '36px' },
      h2: { fontSize: '20px', lineHeight: '28px' },
      h3: { fontSize: '16px', lineHeight: '24px' },
    },
  },
  defaultRadius: 8,
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 120 } }, styles: { title: windowTitle } },
    Drawer: { defaultProps: { transitionProps: { duration: 120 } }, styles: { title: windowTitle } },
  },
})

export const colourVariables: CSSVariablesResolver = () => ({
  variables: { '--sanad-row': '44px' },
  light: {
    '--sanad-paper': '#FBFAF7',
    '--sanad-card': '#FFFFFF',
    '--sanad-ink': '#17202E',
    '--sanad-quiet': '#5C6675',
    '--sanad-line': '#E6E2D8',
    '--sanad-accent': '#0F5C63',
    '--sanad-verified': '#1B7F4B',
    '--sanad-pending': '#8A6A12',
    '--sanad-wrong': '#B3261E',
    '--sanad-on-wrong': '#FFFFFF',
    '--mantine-color-body': '#FBFAF7',
    '--mantine-color-text': '#17202E',
    '--mantine-color-dimmed': '#5C6675',
    '--mantine-color-placeholder': '#6B7482',
    '--mantine-color-anchor': '#0F5C63',
    '--mantine-color-default': '#FFFFFF',
    // The border of controls is a little stronger than the lines between sections.
    '--mantine-color-default-border': '#D9D4C7',
    '--mantine-color-error': '#B3261E',
  },
  dark: {
    '--sanad-paper': '#12151A',
    '--sanad-card': '#1A1E25',
    '--sanad-ink': '#E8EAED',
    '--sanad-quiet': '#9AA4B2',
    '--sanad-line': '#2A303A',
    '--sanad-accent': '#5CC2C7',
    '--sanad-verified': '#5CC98D',
    '--sanad-pending': '#D9B44A',
    '--sanad-wrong': '#F08A82',
    '--sanad-on-wrong': '#12151A',
    '--mantine-color-body': '#12151A',
    '--mantine-color-text': '#E8EAED',
    '--mantine-color-dimmed': '#9AA4B2',
    '--mantine-color-placeholder': '#8A93A1',
    '--mantine-color-anchor': '#5CC2C7',
    '--mantine-primary-color-contrast': '#12151A',
    '--mantine-color-default': '#1A1E25',
    '--mantine-color-default-border': '#3D4653',
    // A disabled button stays visible on a card.
    '--mantine-color-disabled': '#232932',
    '--mantine-color-error': '#F08A82',
  },
})
