import { ExternalLink, ImageOff } from "lucide-react";
import { memo, useMemo } from "react";
import ReactMarkdown, { type Components, type Options } from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import remarkCjk from "remark-cjk-friendly";
import remarkCjkStrikethrough from "remark-cjk-friendly-gfm-strikethrough";
import remarkGfm from "remark-gfm";
import { CodeBlock, codeOf } from "./CodeBlock";
import { rehypeMentions } from "./mentions";
import { useChatWords } from "./words";

const host = (url: string) => { try { return new URL(url).host; } catch { return url; } };

/** A link says where it leads and opens beside the page. */
function Link({ href, children }: { href?: string; children?: React.ReactNode }) {
  const words = useChatWords();
  if (!href) return <span>{children}</span>;
  return <a className="link md-link" href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>{children}<ExternalLink size={12} aria-label={words.opensOutside} /></a>;
}

/** Pictures are never fetched by themselves: whoever sent one would learn who reads it, and when. */
function Picture({ src, alt }: { src?: unknown; alt?: string }) {
  const words = useChatWords();
  const url = typeof src === "string" ? src : "";
  return <span className="md-picture"><ImageOff size={12} aria-hidden />{url ? <Link href={url}>{words.picture(alt ?? "", host(url))}</Link> : alt}</span>;
}

const parts = (live: boolean): Components => ({
  a: ({ href, children }) => (href?.startsWith("#") ? <span>{children}</span> : <Link href={href}>{children}</Link>),
  img: ({ src, alt }) => <Picture src={src} alt={alt} />,
  pre: ({ node }) => <CodeBlock {...codeOf(node)} live={live} />,
  table: ({ children }) => <div className="md-table" tabIndex={0}><table>{children}</table></div>,
  h1: ({ children }) => <p className="md-h md-h1">{children}</p>,
  h2: ({ children }) => <p className="md-h md-h2">{children}</p>,
  h3: ({ children }) => <p className="md-h">{children}</p>,
  h4: ({ children }) => <p className="md-h">{children}</p>,
  h5: ({ children }) => <p className="md-h">{children}</p>,
  h6: ({ children }) => <p className="md-h">{children}</p>,
});
const settled = parts(false), growing = parts(true);
const remark: Options["remarkPlugins"] = [[remarkGfm, { singleTilde: false }], remarkCjk, remarkCjkStrikethrough];
const nobody: readonly string[] = [];

/**
 * A message's text. HTML in it is shown as it was written, links lead outside only by a click, and nothing is fetched.
 * Emphasis works beside Japanese letters and brackets without a space.
 */
export const Markdown = memo(function Markdown({ text, live = false, mentions = nobody }: { text: string; live?: boolean; mentions?: readonly string[] }) {
  const rehype = useMemo<Options["rehypePlugins"]>(() => [rehypeSanitize, [rehypeMentions, { names: mentions }]], [mentions]);
  return (
    <div className="md">
      <ReactMarkdown remarkPlugins={remark} rehypePlugins={rehype} components={live ? growing : settled}>{text}</ReactMarkdown>
      {live && <span className="caret" aria-hidden />}
    </div>
  );
});
