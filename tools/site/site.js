document.addEventListener("DOMContentLoaded", () => {
  // Draws formulas with KaTeX: elements of class arithmatex hold \( ... \) or \[ ... \].
  for (const element of document.querySelectorAll(".arithmatex")) {
    const source = element.textContent.trim();
    const formula = source.replace(/^\\[([]|\\[)\]]$/g, "");
    katex.render(formula, element, {displayMode: source.startsWith("\\["), throwOnError: false});
  }
  // Lets long code in tables break behind punctuation, so that tables fit a phone.
  for (const code of document.querySelectorAll("table code")) {
    const parts = code.textContent.split(/(?<=[,;:=|/(])/);
    code.replaceChildren(...parts.flatMap((part) => [part, document.createElement("wbr")]));
  }
});
