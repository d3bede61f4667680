; Code that the parser accepts although Java does not.
([(identifier) (type_identifier)] @refused (#any-of? @refused
  "assert" "break" "case" "catch" "continue" "default" "do" "else" "finally" "for" "if"
  "import" "instanceof" "new" "package" "return" "super" "switch" "throw" "throws" "try"
  "while"))
(expression_statement [
  (array_access) (binary_expression) (cast_expression) (decimal_integer_literal)
  (field_access) (identifier) (lambda_expression) (method_reference)
  (parenthesized_expression) (string_literal) (ternary_expression) (unary_expression)
] @refused)
(program [(block) (expression_statement) (for_statement) (if_statement)
  (enhanced_for_statement) (local_variable_declaration) (method_declaration)
  (return_statement) (switch_expression) (throw_statement) (try_statement)
  (try_with_resources_statement) (while_statement)
] @refused)
(block [(import_declaration) (package_declaration)] @refused)
(block (local_variable_declaration (modifiers
  ["public" "private" "protected" "static" "abstract" "transient" "volatile"]) @refused))
