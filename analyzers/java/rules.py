"""The rules of PMD that a reviewer would raise, and the sentence for each.

All of the quickstart rule set are here, and those of others that measure how large something is.
"""

from analyzers.rule import Rule, Sight

__all__ = ["MEASURED", "RULES", "UNKNOWN"]

UNKNOWN = Rule("{message}", Sight.FILE)
"""For the rules that are not in `RULES`: how much they have to see is not known."""


def _of_definition(sentence: str, sight: Sight) -> Rule:
    return Rule(sentence, sight, of_definition=True)


_BEST_PRACTICES = {
    "AvoidMessageDigestField": Rule(
        "The message digest in {line} is not thread safe; create one where it is needed.",
        Sight.BLOCK,
    ),
    "AvoidStringBufferField": Rule(
        "The string buffer in {line} lives as long as its object and may leak memory.", Sight.BLOCK
    ),
    "AvoidUsingHardCodedIP": Rule("The IP address {0} is hardcoded; make it configurable."),
    "CheckResultSet": Rule(
        "The result of {code} is ignored, so there may be no row to read.", Sight.FUNCTION
    ),
    "ConstantsInInterface": Rule("The constant {code} does not belong in an interface."),
    "DefaultLabelNotLastInSwitch": Rule("The `default` case should come last in the `switch`."),
    "DoubleBraceInitialization": Rule(
        "The double braces create an anonymous class just to fill a collection."
    ),
    "ForLoopCanBeForeach": Rule(
        "This loop needs no index; use an enhanced `for` loop{where}.", Sight.BLOCK
    ),
    "GuardLogStatement": Rule(
        "The log message is built{where} even when it is not logged; check the log level first.",
        Sight.FUNCTION,
    ),
    "LiteralsFirstInComparisons": Rule(
        "Compare with the literal first in {code}, so that null cannot cause an exception."
    ),
    "LooseCoupling": Rule("Use an interface instead of the implementation type {0}."),
    "MissingOverride": Rule("The method {code} should have an `@Override` annotation.", Sight.FILE),
    "NonExhaustiveSwitch": Rule(
        "The `switch` does not cover all cases{where}; add a `default` case.", Sight.BLOCK
    ),
    "OneDeclarationPerLine": Rule("{line} declares several variables; use a line for each."),
    "PrimitiveWrapperInstantiation": Rule(
        "Use `valueOf` instead of creating an object with {code}."
    ),
    "PreserveStackTrace": Rule(
        "The new exception loses the stack trace of {0}; pass it on as the cause."
    ),
    "SimplifiableTestAssertion": Rule("The assertion {code} can be simplified."),
    "UnusedFormalParameter": Rule("The parameter {0} is never used{where}.", Sight.FUNCTION),
    "UnusedLabel": Rule("The label {0} is never used.", Sight.FUNCTION),
    "UnusedLocalVariable": Rule("The local variable {0} is never used{where}.", Sight.FUNCTION),
    "UnusedPrivateField": Rule("The private field {0} is never used.", Sight.FILE),
    "UnusedPrivateMethod": Rule("The private method {code} is never used.", Sight.FILE),
    "UseCollectionIsEmpty": Rule("Use `isEmpty()` instead of comparing {code} with a number."),
    "UseStandardCharsets": Rule("Use a constant of `StandardCharsets` in {code}."),
}
_CODE_STYLE = {
    "AvoidDollarSigns": Rule("The name {code} should not contain a dollar sign."),
    "ClassNamingConventions": Rule("The class name {0} does not follow the naming conventions."),
    "ControlStatementBraces": Rule("The statement {code} should be in braces."),
    "EmptyControlStatement": Rule("This statement has an empty body{where}.", Sight.BLOCK),
    "ExtendsObject": Rule("Extending `Object` explicitly is unnecessary."),
    "FinalParameterInAbstractMethod": Rule(
        "The method {code} has no body, so `final` on its parameters means nothing.", Sight.FUNCTION
    ),
    "ForLoopShouldBeWhileLoop": Rule("This `for` loop should be a `while` loop."),
    "FormalParameterNamingConventions": Rule(
        "The parameter name {0} does not follow the naming conventions."
    ),
    "IdenticalCatchBranches": Rule(
        "This `catch` block does the same as another one; combine them.", Sight.BLOCK
    ),
    "LambdaCanBeMethodReference": Rule("The lambda {code} could be the method reference {0}."),
    "LocalVariableNamingConventions": Rule(
        "The variable name {0} does not follow the naming conventions.", Sight.FUNCTION
    ),
    "MethodNamingConventions": Rule("The method name {0} does not follow the naming conventions."),
    "NoPackage": Rule("The class {code} is in no package.", Sight.FILE),
    "PackageCase": Rule("The package name {code} should be in lower case."),
    "TypeParameterNamingConventions": Rule(
        "The type parameter name {0} does not follow the naming conventions."
    ),
    "UnnecessaryAnnotationValueElement": Rule("The name `value` in {line} is unnecessary."),
    "UnnecessaryConstructor": Rule(
        "The constructor {code} is unnecessary; it does what the default one does.", Sight.FILE
    ),
    "UnnecessaryFullyQualifiedName": Rule(
        "The qualifier {0} is unnecessary, as the name is in scope.", Sight.FILE
    ),
    "UnnecessaryImport": Rule("The import {0} is never used.", Sight.FILE),
    "UnnecessaryModifier": Rule("The modifier {0} of {code} is unnecessary."),
    "UnnecessaryReturn": Rule(
        "The `return` at the end of the method is unnecessary{where}.", Sight.FUNCTION
    ),
    "UnnecessarySemicolon": Rule("There is an unnecessary semicolon in {line}.", Sight.FUNCTION),
    "UselessParentheses": Rule("The parentheses in {code} are unnecessary."),
    "UselessQualifiedThis": Rule("The qualifier {code} of `this` is unnecessary."),
    "VariableCanBeInlined": Rule(
        "The variable {0} is unnecessary; use its value directly{where}.", Sight.FUNCTION
    ),
}
_DESIGN = {
    "AbstractClassWithoutAnyMethod": _of_definition(
        "The abstract class {code} has no methods; use a private constructor instead.", Sight.FILE
    ),
    "ClassWithOnlyPrivateConstructorsShouldBeFinal": _of_definition(
        "The class {code} has no constructor for others and should be final.", Sight.FILE
    ),
    "DoNotExtendJavaLangError": Rule(
        "Exceptions should not extend `Error`, which is for failures of the virtual machine."
    ),
    "FinalFieldCouldBeStatic": Rule(
        "The final field {code} is a constant and should be static.", Sight.BLOCK
    ),
    "InstantiableUtilityClass": _of_definition(
        "The class {code} has only static members and should have a private constructor.",
        Sight.BLOCK,
    ),
    "LogicInversion": Rule("The negation of {code} is clearer with the opposite operator."),
    "ProtectedMemberInFinalClass": Rule(
        "The member {code} should not be protected, as its class is final."
    ),
    "SimplifiedTernary": Rule("The conditional expression {code} can be a boolean operation."),
    "SimplifyBooleanReturns": Rule(
        "Return the condition itself instead of true and false{where}.", Sight.BLOCK
    ),
    "SimplifyConditional": Rule(
        "The null check in {code} is unnecessary, as `instanceof` is false for null."
    ),
    "SingularField": Rule("The field {0} could be a local variable.", Sight.FILE),
    "UselessOverridingMethod": _of_definition(
        "The method {code} is unnecessary: it only calls the method it overrides.", Sight.FUNCTION
    ),
}
_DOCUMENTATION = {
    "DanglingJavadoc": Rule(
        "This documentation comment belongs to no class, method or field.", Sight.FUNCTION
    ),
    "UncommentedEmptyConstructor": _of_definition(
        "The constructor {code} is empty and no comment says why.", Sight.FUNCTION
    ),
    "UncommentedEmptyMethodBody": _of_definition(
        "The method body{where} is empty and no comment says why.", Sight.FUNCTION
    ),
}
_ERROR_PRONE = {
    "AssignmentInOperand": Rule(
        "The assignment inside the expression {line} is hard to read.", Sight.FUNCTION
    ),
    "AssignmentToNonFinalStatic": Rule(
        "The constructor changes the static field {0}, which all instances share."
    ),
    "AvoidAccessibilityAlteration": Rule("The call {code} bypasses access control by reflection."),
    "AvoidBranchingStatementAsLastInLoop": Rule(
        "The loop always ends with {code}, so it runs at most once.", Sight.BLOCK
    ),
    "AvoidCatchingGenericException": Rule(
        "Catching {code} is too broad; catch specific exceptions{where}."
    ),
    "AvoidDecimalLiteralsInBigDecimalConstructor": Rule(
        "The decimal number in {code} is not exact; pass it as a string."
    ),
    "AvoidInstanceofChecksInCatchClause": Rule(
        "Catch the exception type in a separate `catch` instead of testing with `instanceof`."
    ),
    "AvoidMultipleUnaryOperators": Rule("The repeated unary operators in {code} are confusing."),
    "AvoidUsingOctalValues": Rule("The number {code} is octal because of its leading zero."),
    "BrokenNullCheck": Rule("The null check is broken: {code} still causes an exception for null."),
    "ClassCastExceptionWithToArray": Rule("The cast of {code} fails; pass an array of that type."),
    "CloneMethodMustBePublic": Rule("The method `clone` should be public in a `Cloneable` class."),
    "CloneMethodMustImplementCloneable": Rule(
        "The class has a method `clone` but does not implement `Cloneable`.", Sight.FILE
    ),
    "CloneMethodReturnTypeMustMatchClassName": Rule(
        "The method `clone` should return the type of its class.", Sight.FILE
    ),
    "CloseResource": Rule(
        "The resource {code} may never be closed; use try-with-resources{where}.", Sight.FUNCTION
    ),
    "CollectionTypeMismatch": Rule("The collection in {code} cannot hold an object of type {0}."),
    "CompareObjectsWithEquals": Rule("Compare objects with `equals` instead of {code}."),
    "ComparisonWithNaN": Rule("Comparing with {code} does not find NaN; use `isNaN`."),
    "DoNotCallGarbageCollectionExplicitly": Rule(
        "The call {code} should not trigger a garbage collection."
    ),
    "DoNotExtendJavaLangThrowable": Rule("Extend `Exception` instead of `Throwable`."),
    "DontUseFloatTypeForLoopIndices": Rule(
        "The loop {code} counts with a floating point number, which is not exact."
    ),
    "EmptyCatchBlock": Rule(
        "The exception is silently ignored{where}; log it or handle it.", Sight.BLOCK
    ),
    "EmptyFinalizer": Rule("The method `finalize` is empty.", Sight.FUNCTION),
    "EqualsNull": Rule("The comparison {code} is never true; compare with `== null`."),
    "IdempotentOperations": Rule("The assignment {code} has no effect."),
    "ImplicitSwitchFallThrough": Rule(
        "The case before {code} falls through, as it lacks a `break`."
    ),
    "InstantiationToGetClass": Rule(
        "The object in {code} is created only for its class; use `.class`."
    ),
    "JumbledIncrementer": Rule("The inner loop changes the counter of the outer loop in {code}."),
    "MisplacedNullCheck": Rule("The null check of {0} comes too late, as it is used before."),
    "MissingStaticMethodInNonInstantiatableClass": _of_definition(
        "The class {code} has only private constructors and no static method to create it.",
        Sight.FILE,
    ),
    "NonCaseLabelInSwitch": Rule("The label {code} inside the `switch` looks like a case."),
    "NonStaticInitializer": Rule(
        "The initializer block is confusing; move it into a constructor.", Sight.FILE
    ),
    "OverrideBothEqualsAndHashcode": Rule(
        "A class that overrides one of `equals` and `hashCode` has to override both.", Sight.FILE
    ),
    "OverrideBothEqualsAndHashCodeOnComparable": Rule(
        "A `Comparable` class should override both `equals` and `hashCode`.", Sight.FILE
    ),
    "ProperCloneImplementation": Rule(
        "The method `clone` should call `super.clone()` instead of a constructor.", Sight.FUNCTION
    ),
    "ProperLogger": Rule(
        "The logger {code} should be private, static, final and that of its class.", Sight.FILE
    ),
    "ReturnEmptyCollectionRatherThanNull": Rule(
        "Return an empty collection or array instead of null{where}."
    ),
    "ReturnFromFinallyBlock": Rule("The `return` inside `finally` swallows exceptions{where}."),
    "SingleMethodSingleton": _of_definition(
        "The class has several `getInstance` methods, so it may have several instances.",
        Sight.FILE,
    ),
    "SingletonClassReturningNewInstance": Rule(
        "The method `getInstance` creates a new object each time, so it is no singleton.",
        Sight.FUNCTION,
    ),
    "SuspiciousEqualsMethodName": Rule(
        "The method {code} looks like `equals(Object)` but does not override it."
    ),
    "SuspiciousHashcodeMethodName": Rule(
        "The method {code} looks like `hashCode()` but does not override it."
    ),
    "SuspiciousOctalEscape": Rule("The octal escape in {code} is followed by a digit."),
    "UnconditionalIfStatement": Rule("The condition of {code} is always the same."),
    "UnnecessaryConversionTemporary": Rule(
        "The object in {code} is created only to convert a number to a string."
    ),
    "UnusedNullCheckInEquals": Rule("Call `equals` on the object that was checked for null."),
    "UnusedReturnValue": Rule("The result of {code} is ignored{where}."),
    "UseEqualsToCompareStrings": Rule("Compare strings with `equals` instead of {code}."),
    "UseLocaleWithCaseConversions": Rule(
        "The case conversion {code} should specify a locale, or it depends on the system."
    ),
}
_MULTITHREADING = {
    "AvoidThreadGroup": Rule("`ThreadGroup` is not thread safe; avoid it."),
    "AvoidUsingVolatile": Rule(
        "The `volatile` in {line} is hard to get right; prefer synchronization."
    ),
    "DontCallThreadRun": Rule("The call {code} runs in this thread; use `start()`."),
    "DoubleCheckedLocking": Rule(
        "Double-checked locking is not thread safe unless the field is volatile.", Sight.FILE
    ),
    "NonThreadSafeSingleton": Rule(
        "The lazy creation of the singleton is not thread safe{where}.", Sight.FUNCTION
    ),
    "UnsynchronizedStaticFormatter": Rule(
        "The static formatter {code} is not thread safe; synchronize its use.", Sight.FUNCTION
    ),
    "UseNotifyAllInsteadOfNotify": Rule(
        "The call {code} wakes only one thread; use `notifyAll()`."
    ),
}
_PERFORMANCE = {
    "BigIntegerInstantiation": Rule("Use the existing constant instead of {code}."),
    "OptimizableToArrayCall": Rule("Pass an array of size zero to {code}; that is faster."),
}
# What is seen of something only makes it smaller than it is, so that a line is enough.
_SIZES = {
    "CognitiveComplexity": _of_definition(
        "The method {code} is hard to understand: its cognitive complexity is {measure}.",
        Sight.LINE,
    ),
    "CouplingBetweenObjects": _of_definition(
        "The class {code} depends on too many other classes: {measure}.", Sight.LINE
    ),
    "CyclomaticComplexity": _of_definition(
        "{code} is too complex: its cyclomatic complexity is {measure}.", Sight.LINE
    ),
    "ExcessiveImports": Rule("The file has too many imports: {measure}.", Sight.LINE),
    "ExcessiveParameterList": _of_definition(
        "There are too many parameters{where}: {measure}.", Sight.LINE
    ),
    "ExcessivePublicCount": _of_definition(
        "The class {code} has too many public members: {measure}.", Sight.LINE
    ),
    "GodClass": _of_definition(
        "The class {code} does too much: the complexity of its methods adds up to {measure}.",
        Sight.FILE,
    ),
    "NPathComplexity": _of_definition(
        "The method {code} has too many paths: {measure}.", Sight.LINE
    ),
    "NcssCount": _of_definition("{code} is too long: it has {measure} statements.", Sight.LINE),
    "TooManyFields": _of_definition("The class {code} has too many fields.", Sight.LINE),
    "TooManyMethods": _of_definition("The class {code} has too many methods.", Sight.LINE),
}
MEASURED = frozenset(_SIZES) - {"TooManyFields", "TooManyMethods"}
"""The rules whose message says how bad it is, in the first number that it holds."""

RULES: dict[str, Rule] = {
    **_BEST_PRACTICES,
    **_CODE_STYLE,
    **_DESIGN,
    **_DOCUMENTATION,
    **_ERROR_PRONE,
    **_MULTITHREADING,
    **_PERFORMANCE,
    **_SIZES,
}
