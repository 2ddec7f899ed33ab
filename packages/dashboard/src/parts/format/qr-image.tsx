/** A QR code that the server drew. An SVG received as text is shown as an image: no script in it can run. */
import { Center } from '@mantine/core'

/** The address of an SVG as an image. */
export const svgAddress = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`

export const QrImage = ({ svg, alt, size = 200 }: { svg: string; alt: string; size?: number }) => (
  <Center bg="white" p="md" style={{ borderRadius: 8 }}>
    <img src={svgAddress(svg)} width={size} height={size} alt={alt} />
  </Center>
)
