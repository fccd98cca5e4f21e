/** Markup that acts when it is taken for markup; `strike` is the script it would run. */
const MARKUP: readonly ((strike: string) => string)[] = [
  (strike) => `<script>${strike}</script>`,
  (strike) => `<script src="/canary?${strike}"></script>`,
  (strike) => `<img src=x onerror=${strike}>`,
  (strike) => `<img/src="/canary?${strike}">`,
  (strike) => `<svg onload=${strike}>`,
  (strike) => `<svg><script>${strike}</script></svg>`,
  (strike) => `<svg><animate onbegin=${strike} attributeName=x dur=1s>`,
  (strike) => `<svg><a xlink:href="javascript:${strike}"><text y=9>go</text></a></svg>`,
  (strike) => `<iframe src="javascript:${strike}"></iframe>`,
  (strike) => `<iframe srcdoc="<script>${strike}</script>"></iframe>`,
  (strike) => `<object data="javascript:${strike}"></object>`,
  (strike) => `<embed src="data:text/html,<script>${strike}</script>">`,
  (strike) => `<details open ontoggle=${strike}>`,
  (strike) => `<video><source onerror=${strike}></video>`,
  (strike) => `<input autofocus onfocus=${strike}>`,
  (strike) => `<marquee onstart=${strike}>m</marquee>`,
  (strike) => `<a href="javascript:${strike}">go</a>`,
  (strike) => `<a href="data:text/html,<script>${strike}</script>">go</a>`,
  (strike) => `<form action="javascript:${strike}"><button>go</button></form>`,
  (strike) => `<meta http-equiv=refresh content="0;url=javascript:${strike}">`,
  (strike) => `<link rel=stylesheet href="/canary?${strike}">`,
  (strike) => `<style>@import "/canary?${strike}"</style>`,
  (strike) => `<math><mtext><table><mglyph><style><img src=x onerror=${strike}>`,
  (strike) => `<template><img src=x onerror=${strike}></template>`,
];

/** Ways out of wherever a text may have been put. */
const BREAKOUTS: readonly ((markup: string) => string)[] = [
  (markup) => markup,
  (markup) => `">${markup}`,
  (markup) => `'/>${markup}`,
  (markup) => `</title></textarea></style></script>${markup}`,
  (markup) => `-->]]>${markup}<!--`,
  (markup) => markup.replaceAll("<", "\\u003c").replaceAll(">", "\\u003e"),
];

/** Addresses that act when they are followed, in the clothes of markdown and without. */
const ADDRESSES: readonly ((strike: string) => string)[] = [
  (strike) => `javascript:${strike}`,
  (strike) => `JaVaScRiPt:${strike}`,
  (strike) => `java\tscript:${strike}`,
  (strike) => `\u0001javascript:${strike}`,
  (strike) => `javascript://x%0a${strike}`,
  (strike) => `data:text/html,<script>${strike}</script>`,
  (strike) => `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${strike}"/>`,
  (strike) => `//canary.invalid/canary?${strike}`,
];
const LINKS: readonly ((address: string) => string)[] = [
  (address) => address,
  (address) => `[go](${address})`,
  (address) => `![go](${address})`,
  (address) => `<${address}>`,
];

/** What engines of templates and expressions would run. */
const TEMPLATES: readonly ((strike: string) => string)[] = [
  (strike) => `{{constructor.constructor('${strike}')()}}`,
  (strike) => `{{${strike}}}`,
  (strike) => `$\{${strike}}`,
  (strike) => `<%= ${strike} %>`,
  (strike) => `#{${strike}}`,
  (strike) => `{% ${strike} %}`,
  (strike) => `\`;${strike};\``,
  (strike) => `');${strike};//`,
  (strike) => `";${strike};//`,
  (strike) => `</script><script>${strike}//`,
  (strike) => `\u2028${strike}\u2029`,
  (strike) => `\u202e<img src=x onerror=${strike}>`,
  (strike) => `=HYPERLINK("javascript:${strike}")`,
  (strike) => `&lt;img src=x onerror=${strike}&gt;`,
  (strike) => `&#60;img src=x onerror=${strike}&#62;`,
  (strike) => `%3Cimg src=x onerror=${strike}%3E`,
];

const pairs = <First, Second>(first: readonly First[], second: readonly Second[]): [First, Second][] =>
  first.flatMap((one) => second.map((other): [First, Second] => [one, other]));

/** Some two hundred texts that act where a page takes them for anything but text. Each calls `hit` with its number. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...pairs(MARKUP, BREAKOUTS).map(
    ([markup, breakout]) =>
      (strike: string) =>
        breakout(markup(strike)),
  ),
  ...pairs(ADDRESSES, LINKS).map(
    ([address, link]) =>
      (strike: string) =>
        link(address(strike)),
  ),
  ...TEMPLATES,
].map((make, index) => make(`hit(${index})`));
